import { formatTime } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import type { RoundState } from '../../round/round.ts'
import { charsOf } from '../controls/chars.ts'
import { ShareButton } from '../controls/ShareButton.tsx'
import { useRise } from '../hooks/useRise.ts'
import { MovingDot, ResultRail, WaitingRail } from './Rail.tsx'

interface Props {
  app: Pick<App, 'live' | 'myAttempts'>
  round: RoundState
  /** The TAPS won by the result, or null. */
  won: number | null
  /** All TAPS held, in claim mode; null in other modes. */
  held: number | null
  /** Whether the waiting dot demonstrates the game. */
  glides: boolean
}

/** Shows the player's time or prize, and the rail. */
export function Track({ app, round, won, held, glides }: Props) {
  const { myAttempts } = app
  return (
    <section className="track" aria-label="Track">
      {round.phase === 'idle' && (
        <>
          <p className="elapsed elapsed--idle">{formatTime(0)}</p>
          <WaitingRail glides={glides} />
        </>
      )}
      {round.phase === 'running' && <MovingDot running={round} />}
      {round.phase === 'stopped' && (
        <>
          {won === null ? (
            <p className="elapsed">{formatTime(round.actualMs)}</p>
          ) : (
            <Amount won={won} held={held} />
          )}
          <ResultRail result={round} myAttempts={myAttempts} />
          <ShareButton result={round} won={won} live={app.live} myAttempts={myAttempts} />
        </>
      )}
    </section>
  )
}

/** Shows the prize instead of the time; in claim mode, shows all TAPS held as the heading. */
function Amount({ won, held }: { won: number; held: number | null }) {
  const risen = formatTaps(useRise(won))
  if (held === null) {
    return (
      <p className="amount" style={charsOf(`+${formatTaps(won)}`)} aria-hidden="true">
        <span className="amount-line">
          <span className="inked golden">{`+${risen}`}</span> <span className="unit">TAPS</span>
        </span>
      </p>
    )
  }
  const shown = `${held === won ? '+' : ''}${formatTaps(held)}`
  return (
    <h2 id="claim-title" className="amount" style={charsOf(shown)} aria-label={`${formatTaps(held)} TAPS`}>
      <span className="inked golden">{shown}</span> <span className="unit">TAPS</span>
    </h2>
  )
}
