import { useState } from 'react'
import { formatTaps } from '../format.ts'
import { holdLeftMs, type PageSession } from '../session.ts'
import { Chip } from './Chip.tsx'
import { useNow } from './useNow.ts'

const ENDED_SHOWN_MS = 5_000

interface Props {
  session: PageSession
  /** When a guest's hold ends, in ms of the page's clock. */
  holdEndsAt: number | null
  onPress: () => void
}

/** Shows the chip of a held prize, then for a moment a notice that the hold has ended. */
export function Hold({ session: { prize, user }, holdEndsAt, onPress }: Props) {
  const now = useNow()
  const [hold, setHold] = useState<{ taps: number; endsAt: number } | null>(null)
  if (prize !== null && holdEndsAt !== null && hold?.endsAt !== holdEndsAt) {
    setHold({ taps: prize.taps, endsAt: holdEndsAt })
  }
  // Shows no notice when the prize was claimed or the guest has changed.
  if (hold !== null && (user !== null || (prize === null && now < hold.endsAt))) setHold(null)
  const hasEnded = hold !== null && now >= hold.endsAt && now - hold.endsAt < ENDED_SHOWN_MS
  return (
    <>
      {prize !== null && !hasEnded && (
        <Chip taps={prize.taps} leftMs={holdLeftMs(prize, holdEndsAt, now)} onPress={onPress} />
      )}
      {/* Always mounted, so that screen readers announce its text. */}
      <div className="hold" role="status">
        {hasEnded && <p className="pill">Hold ended: {formatTaps(hold.taps)} TAPS back in the pool</p>}
      </div>
    </>
  )
}
