import { formatTime } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import type { GameState } from '../../round/game.ts'
import { charsOf, PrizeHeading } from '../controls/PrizeHeading.tsx'
import { ShareButton } from '../controls/ShareButton.tsx'
import { useRise } from '../hooks/useCounted.ts'
import { MovingDot, ResultRail, WaitingRail } from './Rail.tsx'

interface Props {
  app: App
  state: GameState
  /** All TAPS held, in claim mode; null in other modes. */
  held: number | null
}

/** Shows the player's time or prize, and the rail. */
export function Track({ app, state: { round, won }, held }: Props) {
  return (
    <section className="track" aria-label="Track">
      {round.phase === 'idle' && (
        <>
          <p className="elapsed elapsed--idle">{formatTime(0)}</p>
          <WaitingRail />
        </>
      )}
      {round.phase === 'running' && <MovingDot running={round} />}
      {round.phase === 'stopped' && (
        <>
          {won === null && <p className="elapsed">{formatTime(round.actualMs)}</p>}
          {won !== null && held === null && <Winnings won={won} />}
          {won !== null && held !== null && <PrizeHeading taps={held} isWin={held === won} />}
          <ResultRail result={round} myAttempts={app.myAttempts} />
          <ShareButton app={app} result={round} won={won} />
        </>
      )}
    </section>
  )
}

/** Shows the prize instead of the time. */
function Winnings({ won }: { won: number }) {
  const risen = formatTaps(useRise(won))
  return (
    <p className="amount" style={charsOf(`+${formatTaps(won)}`)} aria-hidden="true">
      <span className="amount-line">
        <span className="inked golden">{`+${risen}`}</span> <span className="unit">TAPS</span>
      </span>
    </p>
  )
}
