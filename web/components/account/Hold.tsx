import type { GameProps } from '../../app.ts'
import { formatCountdown, formatTaps } from '../../lib/format.ts'
import { holdLeftMs } from '../../session/session.ts'
import { usePart } from '../hooks/useStore.ts'
import { useNow } from '../hooks/useTime.ts'

const URGENT_MS = 60_000

/** Shows the chip of a held prize, except in claim mode. When the hold has ended, shows a notice instead. */
export function Hold({ app, session }: GameProps) {
  const { prize, lostTaps } = session
  const leftMs = holdLeftMs(session, useNow())
  const isClaiming = usePart(app.shown, ({ view, celebrating }) => view === 'claim' || celebrating)
  return (
    <>
      {prize !== null && !isClaiming && (
        <Chip taps={prize.taps} leftMs={leftMs} onPress={() => app.game.show('claim')} />
      )}
      {/* Always mounted, so that screen readers announce the notice. */}
      <div className="hold" role="status">
        {lostTaps !== null && (
          <p className="pill">{`Hold ended: ${formatTaps(lostTaps)} TAPS back in the pool`}</p>
        )}
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
