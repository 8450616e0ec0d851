import { useState } from 'react'
import { formatTaps } from '../format.ts'
import { holdLeftMs, type PageSession } from '../session.ts'
import { Chip } from './Chip.tsx'
import { useNow } from './useNow.ts'

const ENDED_SHOWN_MS = 5_000

interface Props {
  session: PageSession
  /** The end of a guest's hold, in ms since the page's time origin, or null. */
  holdEndsAt: number | null
  onPress: () => void
}

/** Shows the chip of a held prize. After the hold has ended, briefly shows a notice instead. */
export function Hold({ session: { prize, user }, holdEndsAt, onPress }: Props) {
  const now = useNow()
  const [hold, setHold] = useState<{ taps: number; endsAt: number } | null>(null)
  if (prize !== null && holdEndsAt !== null && hold?.endsAt !== holdEndsAt) {
    setHold({ taps: prize.taps, endsAt: holdEndsAt })
  }
  // Skips the notice after a claim or a change of guest.
  if (hold !== null && (user !== null || (prize === null && now < hold.endsAt))) setHold(null)
  const hasEnded = hold !== null && now >= hold.endsAt && now - hold.endsAt < ENDED_SHOWN_MS
  return (
    <>
      {prize !== null && !hasEnded && (
        <Chip taps={prize.taps} leftMs={holdLeftMs(prize, holdEndsAt, now)} onPress={onPress} />
      )}
      {/* Always mounted, so that screen readers announce the notice. */}
      <div className="hold" role="status">
        {hasEnded && <p className="pill">Hold ended: {formatTaps(hold.taps)} TAPS back in the pool</p>}
      </div>
    </>
  )
}
