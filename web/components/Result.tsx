import { WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { formatDifference, formatTime } from '../../contract/time.ts'
import type { App } from '../app.ts'
import { describeDifference } from '../difference.ts'
import { formatTaps } from '../format.ts'
import type { GameState } from '../game-state.ts'
import { RULE } from '../messages.ts'
import type { Stopped } from '../round.ts'
import { isBestYet } from '../timing.ts'
import { ClaimedTaps } from './ClaimedTaps.tsx'
import { usePart, useStore } from './useStore.ts'
import './Result.css'

interface Props {
  app: Pick<App, 'live' | 'myAttempts'>
  state: GameState
}

/** Shows the times and, below them, the feedback. Explains the game until there is a result. */
export function Result({ app, state }: Props) {
  const { round, message, won, claimed } = state
  const result = round.phase === 'stopped' ? round : null
  const attempts = useStore(app.myAttempts.attempts)
  const isBest = result !== null && isBestYet(attempts, result.judgement.differenceMs)
  const isNear = result !== null && isNearMiss(result) && message === null && !state.sending
  const hasWon = attempts.some(({ won_taps }) => won_taps !== null)
  return (
    <section className="result" aria-label="Result" data-phase={round.phase}>
      {result !== null && <Boxes result={result} />}
      <div className="say">
        {round.phase === 'idle' && <p className="explanation">The clock is hidden. Count it in your head.</p>}
        {/* Always mounted, so that screen readers announce the text. */}
        <div className="said" role="status">
          {result !== null && <Feedback result={result} />}
          {isBest && message === null && <p className={isNear ? 'visually-hidden' : 'best'}>Your best yet</p>}
          {won !== null && <p className="visually-hidden">You won {formatTaps(won)} TAPS</p>}
          {message === null && claimed !== null && <ClaimedTaps claimed={claimed} />}
          {message !== null && (
            <p key={round.phase} className="message">
              {message}
            </p>
          )}
        </div>
        {isNear && <NearMiss result={result} app={app} />}
        {isRuleShown(state, isNear || isBest || hasWon) && (
          <p key={round.phase} className="rule">
            {RULE}
          </p>
        )}
      </div>
    </section>
  )
}

function Feedback({ result: { judgement } }: { result: Stopped }) {
  const { differenceMs, feedback } = judgement
  return (
    <p className="feedback">
      <span className="inked">{feedback.message}</span>
      <span className="visually-hidden"> {describeDifference(differenceMs)}</span>
    </p>
  )
}

/** The largest difference that counts as a near miss. */
const NEAR_MISS_MS = WIN_TOLERANCE_MS + 300

function isNearMiss({ judgement }: Stopped): boolean {
  return !judgement.wins && Math.abs(judgement.differenceMs) <= NEAR_MISS_MS
}

/** Shows how far the Stop was from winning the pool. */
function NearMiss({ app, result }: { app: Pick<App, 'live'>; result: Stopped }) {
  const taps = usePart(app.live, ({ parts }) => parts.prize_pool)?.taps ?? 0
  if (taps === 0) return null
  const missing = Math.abs(result.judgement.differenceMs) - WIN_TOLERANCE_MS
  return (
    <p className="near">
      {/* A new key per amount avoids layout shifts. */}
      <span key={taps}>{`${formatDifference(missing)} s short of ${formatTaps(taps)} TAPS`}</span>
    </p>
  )
}

function isRuleShown({ round, message, won, claimed }: GameState, isHiddenAfterMiss: boolean): boolean {
  if (message !== null || claimed !== null) return false
  const isMiss = round.phase === 'stopped' && won === null && !round.judgement.wins
  return round.phase === 'idle' || (isMiss && !isHiddenAfterMiss)
}

function Boxes({ result }: { result: Stopped }) {
  const { targetMs, actualMs, judgement } = result
  return (
    // A new key per result avoids layout shifts.
    <dl key={`${targetMs} ${actualMs}`} className="boxes">
      <Box name="Your Time" value={`${formatTime(actualMs)}s`} />
      <Box name="Target" value={`${formatTime(targetMs)}s`} />
      <Box
        name="Difference"
        value={`${formatDifference(judgement.differenceMs)}s`}
        side={sideOf(judgement.differenceMs)}
      />
    </dl>
  )
}

function sideOf(differenceMs: number): string {
  if (differenceMs === 0) return 'exact'
  return differenceMs > 0 ? 'late' : 'early'
}

/** Shows one value. Screen readers skip `side`, which the feedback repeats in words. */
function Box({ name, value, side }: { name: string; value: string; side?: string }) {
  return (
    <div className="box" data-side={side}>
      <dt className="label">{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
