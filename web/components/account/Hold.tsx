import type { GameProps } from '../../app.ts'
import { formatCountdown, formatTaps } from '../../lib/format.ts'
import { isCelebrating } from '../../round/game.ts'
import { holdLeftMs } from '../../session/session.ts'
import { usePart } from '../hooks/useStore.ts'
import { useNow } from '../hooks/useTime.ts'

const URGENT_MS = 60_000

/** Shows the chip of a held prize, except in claim mode. When the hold has ended, shows a notice instead. */
export function Hold({ app, session }: GameProps) {
  const { prize, lostTaps } = session
  const leftMs = holdLeftMs(session, useNow())
  const name = `${formatTaps(prize?.taps ?? 0)} TAPS to claim`
  const isClaiming = usePart(app.shown, game => game.view === 'claim' || isCelebrating(game))
  return (
    <>
      {prize !== null && !isClaiming && (
        <button
          type="button"
          className="pill chip"
          // Screen readers skip the countdown, which changes every second.
          aria-label={name}
          data-left={leftMs === null ? undefined : formatCountdown(leftMs)}
          data-urgent={leftMs !== null && leftMs <= URGENT_MS}
          onClick={() => app.game.show('claim')}
        >
          {name}
        </button>
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
