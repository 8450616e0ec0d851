import { useState } from 'react'
import { TAPS_PER_ATTEMPT, WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import { formatDifference, formatTime } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { describeDifference, formatTaps } from '../../lib/format.ts'
import type { Live } from '../../live/live.ts'
import { RULE } from '../../messages.ts'
import { ENOUGH_ROUNDS, isBestYet } from '../../result/timing.ts'
import type { GameState } from '../../round/game.ts'
import type { Stopped } from '../../round/round.ts'
import { ClaimedTaps } from '../claim/ClaimedTaps.tsx'
import { usePart, useStore } from '../hooks/useStore.ts'

interface Props {
  app: App
  state: GameState
}

/** Shows the times and, below them, the feedback. Explains the game until there is a result. */
export function Result({ app, state }: Props) {
  const { round, message, won, closerThan, claimed, sendingSince } = state
  const result = round.phase === 'stopped' ? round : null
  const attempts = useStore(app.myAttempts.attempts)
  const isBest = result !== null && isBestYet(attempts, result.judgement.differenceMs)
  const isNew = attempts.length < ENOUGH_ROUNDS
  return (
    <section className="result" aria-label="Result" data-phase={round.phase}>
      {result !== null && <Boxes result={result} />}
      <div className="say">
        {round.phase === 'idle' && isNew && (
          <p className="explanation">The clock is hidden. Count it in your head.</p>
        )}
        {/* Always mounted, so that screen readers announce the text. */}
        <div className="said" role="status" aria-atomic={false}>
          {result !== null && <Feedback result={result} />}
          {isBest && message === null && <p className="best">Your best yet</p>}
          {result !== null && !isBest && message === null && closerThan > 0 && (
            <p className="best">
              {/* Narrow stages with a near-miss line hide what the result was compared with. */}
              <span>{`Closer than ${closerThan} %`}</span> <span className="best-of">of recent tries</span>
            </p>
          )}
          {won !== null && <p className="visually-hidden">{`You won ${formatTaps(won)} TAPS`}</p>}
          {message === null && claimed !== null && <ClaimedTaps app={app} claimed={claimed} />}
          {message !== null && <p className="message">{message}</p>}
        </div>
        {result !== null && (
          <Stake
            key={result.stoppedAt}
            live={app.live}
            result={result}
            isHidden={message !== null || sendingSince !== null}
          />
        )}
        {round.phase === 'idle' && message === null && claimed === null && <p className="rule">{RULE}</p>}
      </div>
    </section>
  )
}

function Feedback({ result: { judgement } }: { result: Stopped }) {
  const { differenceMs, feedback } = judgement
  return (
    <p className="feedback">
      <span className="inked">{feedback.message}</span>
      <span className="visually-hidden">{` ${describeDifference(differenceMs)}`}</span>
    </p>
  )
}

/** The largest difference that counts as a near miss. */
const NEAR_MISS_MS = WIN_TOLERANCE_MS + 300

interface StakeProps {
  live: Live
  result: Stopped
  /** Whether another line has this place, or the attempt is not recorded yet. */
  isHidden: boolean
}

/**
 * Shows how far a near miss was from the pool, as it was at Stop. After another player's win, shows who took the
 * pool. Mounted at each Stop.
 */
function Stake({ live, result: { judgement }, isHidden }: StakeProps) {
  const pool = usePart(live, ({ parts }) => parts.prize_pool)
  const [atStop] = useState(pool)
  const distance = Math.abs(judgement.differenceMs)
  const isNear = distance <= NEAR_MISS_MS
  const isTaken = atStop !== null && pool?.last_win?.created_at !== atStop.last_win?.created_at
  const taker = isTaken ? (pool?.last_win ?? null) : null
  if (isHidden || judgement.wins || atStop === null || (!isNear && taker === null)) return null
  const wanted = atStop.taps + TAPS_PER_ATTEMPT
  return (
    <p className="near" data-taken={taker !== null}>
      {isNear && (
        <span className="near-short" aria-hidden={taker !== null}>
          {`${formatDifference(distance - WIN_TOLERANCE_MS)} s short of ${formatTaps(wanted)} TAPS`}
        </span>
      )}
      {taker !== null && (
        <span className="near-taken">
          <bdi>{taker.username}</bdi> <span>{`just took the ${formatTaps(taker.won_taps)} TAPS`}</span>
        </span>
      )}
    </p>
  )
}

function Boxes({ result }: { result: Stopped }) {
  const { targetMs, actualMs, judgement } = result
  const { differenceMs } = judgement
  const side = differenceMs === 0 ? 'exact' : differenceMs > 0 ? 'late' : 'early'
  return (
    <dl className="boxes">
      <Box name="Your Time" value={`${formatTime(actualMs)}s`} />
      <Box name="Target" value={`${formatTime(targetMs)}s`} />
      <Box name="Difference" value={`${formatDifference(differenceMs)}s`} side={side} />
    </dl>
  )
}

/** Shows one value. Screen readers skip `side`, which the feedback repeats in words. */
function Box({ name, value, side }: { name: string; value: string; side?: string }) {
  return (
    <div className="box" data-side={side}>
      <dt className="label">{name}</dt>
      <dd data-side={side}>{value}</dd>
    </div>
  )
}
