import { useState } from 'react'
import { formatTaps } from '../../lib/format.ts'
import { holdLeftMs, type PageSession } from '../../session/session.ts'
import { useNow } from '../hooks/useNow.ts'
import { Chip } from './Chip.tsx'

const ENDED_SHOWN_MS = 5_000

export interface HeldPrize {
  /** The TAPS that a chip offers; null when no prize is held. */
  readonly taps: number | null
  /** The time until a guest's hold ends; null for a user. */
  readonly leftMs: number | null
  /** The TAPS of a hold that has just ended, or null. */
  readonly endedTaps: number | null
}

/**
 * Follows the held prize in every view, so that the end of a hold is noticed in claim mode too.
 *
 * @param holdEndsAt - The end of a guest's hold, in ms since the page's time origin, or null.
 */
export function useHold({ prize, user }: PageSession, holdEndsAt: number | null): HeldPrize {
  const now = useNow()
  const [hold, setHold] = useState<{ taps: number; endsAt: number } | null>(null)
  if (prize !== null && holdEndsAt !== null && hold?.endsAt !== holdEndsAt) {
    setHold({ taps: prize.taps, endsAt: holdEndsAt })
  }
  // Skips the notice after a claim or a change of guest.
  if (hold !== null && (user !== null || (prize === null && now < hold.endsAt))) setHold(null)
  const hasEnded = hold !== null && now >= hold.endsAt && now - hold.endsAt < ENDED_SHOWN_MS
  return {
    taps: prize === null || hasEnded ? null : prize.taps,
    leftMs: holdLeftMs(prize, holdEndsAt, now),
    endedTaps: hasEnded ? hold.taps : null,
  }
}

interface Props {
  held: HeldPrize
  /** Whether claim mode is open or about to open, which needs no chip. */
  isClaiming: boolean
  onPress: () => void
}

/** Shows the chip of a held prize. After the hold has ended, briefly shows a notice instead. */
export function Hold({ held: { taps, leftMs, endedTaps }, isClaiming, onPress }: Props) {
  return (
    <>
      {taps !== null && !isClaiming && <Chip taps={taps} leftMs={leftMs} onPress={onPress} />}
      {/* Always mounted, so that screen readers announce the notice. */}
      <div className="hold" role="status">
        {endedTaps !== null && (
          <p className="pill">{`Hold ended: ${formatTaps(endedTaps)} TAPS back in the pool`}</p>
        )}
      </div>
    </>
  )
}
