import { formatDifference, formatTime } from '../../contract/time.ts'
import { describeDifference } from '../difference.ts'
import { formatTaps } from '../format.ts'
import type { GameState } from '../game-state.ts'
import { RULE } from '../messages.ts'
import type { MyAttempts } from '../my-attempts.ts'
import { isBestYet } from '../timing.ts'
import { ClaimedTaps } from './ClaimedTaps.tsx'
import { useStore } from './useStore.ts'
import './Result.css'

interface Props {
  state: GameState
  myAttempts: MyAttempts
}

/**
 * The player's time compared with the target, and the feedback. Before the first round of the page an explanation of the
 * game stands instead of the boxes.
 */
export function Result({ state: { round, message, won, claimed, begun }, myAttempts }: Props) {
  const result = round.phase === 'stopped' ? round : null
  const closeness = result?.judgement.feedback.closeness
  const attempts = useStore(myAttempts.attempts)
  const isBest = result !== null && isBestYet(attempts, result.judgement.differenceMs)
  return (
    <section className="result" aria-label="Result" data-closeness={closeness} data-begun={begun}>
      {!begun && <p className="explanation">The clock is hidden. Count it in your head.</p>}
      <dl className="boxes" hidden={result === null}>
        <Box name="Your Time" value={result && `${formatTime(result.actualMs)}s`} />
        <Box name="Target" value={result && `${formatTime(result.targetMs)}s`} />
        <Box
          name="Difference"
          value={result && `${formatDifference(result.judgement.differenceMs)}s`}
          side={result === null ? undefined : sideOf(result.judgement.differenceMs)}
        />
      </dl>
      <div className="messages">
        {/* Always mounted, so that screen readers announce what appears in it. */}
        <div role="status">
          {result !== null && (
            <p className="feedback">
              <span className="inked">{result.judgement.feedback.message}</span>
              <span className="visually-hidden"> {describeDifference(result.judgement.differenceMs)}</span>
            </p>
          )}
          {message === null && claimed !== null && <ClaimedTaps claimed={claimed} />}
          {message === null && claimed === null && (
            <p className="winnings">
              {won !== null && <span className="inked golden">You won {formatTaps(won)} TAPS</span>}{' '}
              {isBest && <span className="best">Your best yet</span>}
            </p>
          )}
          {message !== null && <p className="message">{message}</p>}
        </div>
        {/* A new element for the other size, so that it does not count as shifted. */}
        <p key={`${begun}`} className="rule">
          {RULE}
        </p>
      </div>
    </section>
  )
}

function sideOf(differenceMs: number): string {
  if (differenceMs === 0) return 'dead on'
  return differenceMs > 0 ? 'late' : 'early'
}

/** `side`, early or late, is visual only: the feedback says it in words. */
function Box({ name, value, side }: { name: string; value: string | null; side?: string | undefined }) {
  return (
    <div className="box" data-side={side}>
      <dt className="label">{name}</dt>
      {/* A new element for each value, so that another width does not count as a shift. */}
      <dd key={value}>{value ?? '–'}</dd>
    </div>
  )
}
