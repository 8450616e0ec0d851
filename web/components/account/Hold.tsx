import { useState } from 'react'
import type { GameProps } from '../../app.ts'
import { formatCountdown, formatTaps } from '../../lib/format.ts'
import { holdLeftMs } from '../../session/session.ts'
import { usePart } from '../hooks/useStore.ts'
import { useNow } from '../hooks/useTime.ts'

const ENDED_SHOWN_MS = 5_000

const URGENT_MS = 60_000

/** Shows the chip of a held prize, except in claim mode. After the hold has ended, briefly shows a notice instead. */
export function Hold({ app, session }: GameProps) {
  const { prize, user, holdEndsAt } = session
  const now = useNow()
  const isClaiming = usePart(app.shown, ({ view, celebrating }) => view === 'claim' || celebrating)
  /** A guest's hold, followed in every view, so that its end is noticed in claim mode too. */
  const [hold, setHold] = useState<{ taps: number; endsAt: number } | null>(null)
  if (prize !== null && holdEndsAt !== null && hold?.endsAt !== holdEndsAt) {
    setHold({ taps: prize.taps, endsAt: holdEndsAt })
  }
  // Skips the notice after a claim or a change of guest.
  if (hold !== null && (user !== null || (prize === null && now < hold.endsAt))) setHold(null)
  const hasEnded = hold !== null && now >= hold.endsAt && now - hold.endsAt < ENDED_SHOWN_MS
  return (
    <>
      {prize !== null && !hasEnded && !isClaiming && (
        <Chip taps={prize.taps} leftMs={holdLeftMs(session, now)} onPress={() => app.game.show('claim')} />
      )}
      {/* Always mounted, so that screen readers announce the notice. */}
      <div className="hold" role="status">
        {hasEnded && <p className="pill">{`Hold ended: ${formatTaps(hold.taps)} TAPS back in the pool`}</p>}
      </div>
    </>
  )
}

interface ChipProps {
  taps: number
  /** The time until a guest's hold ends; null for a user. */
  leftMs: number | null
  onPress: () => void
}

/** Shows a button that opens claim mode. Screen readers skip the countdown, which changes every second. */
function Chip({ taps, leftMs, onPress }: ChipProps) {
  const name = `${formatTaps(taps)} TAPS to claim`
  return (
    <button
      type="button"
      className="pill chip"
      aria-label={name}
      data-left={leftMs === null ? undefined : formatCountdown(leftMs)}
      data-urgent={leftMs !== null && leftMs <= URGENT_MS}
      onClick={onPress}
    >
      {name}
    </button>
  )
}
