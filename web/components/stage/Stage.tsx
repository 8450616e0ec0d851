import { formatTime, toMs } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { prizeTitle } from '../../messages.ts'
import { outcomeOf } from '../../result/dare-line.ts'
import type { SecondLine } from '../../result/second-line.ts'
import type { GameState } from '../../round/game.ts'
import type { RoundState, Stopped } from '../../round/round.ts'
import { Balance } from '../claim/ClaimedTaps.tsx'
import { PrizeHeading } from '../claim/PrizeHeading.tsx'
import { ShareButton } from '../claim/ShareButton.tsx'
import { charsOf } from '../controls/chars.ts'
import { useRise } from '../hooks/useCounted.ts'
import { MovingDot, ResultRail, WaitingRail } from './Rail.tsx'
import { Result } from './Result.tsx'
import { useSecondLine } from './useSecondLine.ts'

interface Props {
  app: App
  state: GameState
  /** All TAPS held, in claim mode; null in other modes. */
  held: number | null
}

export function Stage({ app, state, held }: Props) {
  const { round, won } = state
  const line = useSecondLine(app, state)
  const closeness = round.phase === 'stopped' ? round.judgement.feedback.closeness : undefined
  return (
    <div className="stage" data-closeness={closeness} data-won={won !== null}>
      {held === null ? <TargetTime round={round} /> : <p className="target label">{prizeTitle(won, held)}</p>}
      <Track app={app} state={state} held={held} line={line} />
      <Result app={app} state={state} line={line} />
    </div>
  )
}

/** Shows the target, in large digits during a round. Screen readers announce the target at Start. */
function TargetTime({ round }: { round: RoundState }) {
  return (
    <section className="target" aria-label="Target Time" data-running={round.phase === 'running'}>
      <h2 className="label">Target Time</h2>
      <p className="target-live" aria-live="polite" aria-atomic="true">
        <span className="target-line">
          <span className="target-time">{shownTarget(round)}</span> <span className="unit">seconds</span>
        </span>
      </p>
    </section>
  )
}

function shownTarget(round: RoundState): string {
  if (round.phase === 'running') return formatTime(toMs(round.round.target_time))
  if (round.phase === 'stopped') return formatTime(round.targetMs)
  return '–.––'
}

/** Shows the player's time, prize or new balance, and the rail. */
function Track({ app, state, held, line }: Props & { line: SecondLine | null }) {
  const { round, won, claimed } = state
  return (
    <section className="track" aria-label="Track">
      {round.phase === 'idle' && (
        <>
          {claimed === null && <p className="elapsed elapsed--idle">{formatTime(0)}</p>}
          {claimed !== null && <Balance claimed={claimed} />}
          <WaitingRail />
        </>
      )}
      {round.phase === 'running' && <MovingDot running={round} />}
      {round.phase === 'stopped' && (
        <>
          {won === null && <p className="elapsed">{formatTime(round.actualMs)}</p>}
          {won !== null && held === null && <Winnings won={won} />}
          {won !== null && held !== null && <PrizeHeading taps={held} isWin={held === won} />}
          <ResultRail result={round} myAttempts={app.myAttempts} rivalMs={beatenMs(state, round)} />
          <ShareButton
            app={app}
            result={round}
            won={won}
            about={line?.about}
            rival={state.against?.dare?.by}
          />
        </>
      )}
    </section>
  )
}

/** Returns the difference of the dare that the result in view has beaten, or null. */
function beatenMs({ against }: GameState, { judgement }: Stopped): number | null {
  const dare = against?.dare ?? null
  const isBeaten = dare !== null && outcomeOf(dare, Math.abs(judgement.differenceMs)) === 'beaten'
  return isBeaten ? dare.differenceMs : null
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
