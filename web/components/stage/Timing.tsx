import { memo } from 'react'
import type { Attempt } from '../../../contract/api.ts'
import { judge } from '../../../contract/rules.ts'
import { formatDifference, toMs } from '../../../contract/time.ts'
import { describeDifference } from '../../lib/format.ts'
import { TOLERANCE } from '../../messages.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { BEST_WITHIN_MS, biasOf, ENOUGH_ROUNDS, isBestYet, recordOf } from '../../result/timing.ts'
import { useStore } from '../hooks/useStore.ts'

const SQUARES = 5

/** Shows the player's record in one line. */
export const Timing = memo(function Timing({ myAttempts }: { myAttempts: MyAttempts }) {
  const attempts = useStore(myAttempts.attempts)
  const differences = attempts.map(({ difference }) => toMs(difference))
  const [newest] = differences
  const isBest = newest !== undefined && isBestYet(attempts, newest)
  return (
    <section className="strip timing" aria-label="Your timing">
      <h2 className="label">Your timing</h2>
      <div className="squares" data-best={isBest} role="img" aria-label={describe(differences)}>
        {differences
          .slice(0, SQUARES)
          .reverse()
          .map((difference, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: squares keep their places and only change colour
            <i key={index} data-closeness={judge(0, difference).feedback.closeness} />
          ))}
      </div>
      <Summary attempts={attempts} biasMs={biasOf(differences)} />
    </section>
  )
})

/** Shows the best and the streak, and the typical difference once there are enough rounds. */
function Summary({ attempts, biasMs }: { attempts: readonly Attempt[]; biasMs: number }) {
  if (attempts.length === 0) return <p className="timing-summary">no rounds yet</p>
  const { bestMs, streak } = recordOf(attempts)
  return (
    <p className="timing-summary">
      {attempts.length >= ENOUGH_ROUNDS && (
        <span>
          you stop <b>{describeDifference(biasMs)}</b>
        </span>
      )}
      {bestMs <= BEST_WITHIN_MS && (
        <span>
          best <b>{`${formatDifference(bestMs)} s`}</b>
        </span>
      )}
      {streak > 1 && (
        <span>
          streak <b className="streak">{streak}</b>
        </span>
      )}
    </p>
  )
}

/** Describes the rounds for screen readers. */
function describe(differences: readonly number[]): string {
  if (differences.length === 0) return 'No rounds yet'
  const { length } = differences
  const rounds = length === 1 ? '1 round' : `${length} rounds`
  const hits = differences.filter(difference => judge(0, difference).wins).length
  const earliest = describeDifference(Math.min(...differences))
  const latest = describeDifference(Math.max(...differences))
  if (earliest === latest) return `${rounds}, ${hits} within ${TOLERANCE}, ${latest}`
  return `${rounds}, ${hits} within ${TOLERANCE}, from ${earliest} to ${latest}`
}
