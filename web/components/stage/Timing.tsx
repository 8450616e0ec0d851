import { memo } from 'react'
import type { Attempt } from '../../../contract/api.ts'
import { judge } from '../../../contract/rules.ts'
import { formatDifference, toMs } from '../../../contract/time.ts'
import { describeDifference } from '../../lib/format.ts'
import { TOLERANCE } from '../../lib/messages.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { BEST_WITHIN_MS, biasOf, ENOUGH_ROUNDS, isBestYet, recordOf } from '../../result/timing.ts'
import { useStore } from '../hooks/useStore.ts'

const SQUARES = 5

/** Shows the player's record in one line. */
export const Timing = memo(function Timing({ myAttempts }: { myAttempts: MyAttempts }) {
  const attempts = useStore(myAttempts.attempts).toReversed()
  const last = attempts.slice(-SQUARES).map(differenceOf)
  const newest = attempts.at(-1)
  const isBest = newest !== undefined && isBestYet(attempts.toReversed(), differenceOf(newest))
  return (
    <section className="strip timing" aria-label="Your timing">
      <h2 className="label">Your timing</h2>
      <div
        className="squares"
        data-best={isBest}
        role="img"
        aria-label={describe(attempts.map(differenceOf))}
      >
        {last.map((difference, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: squares keep their places and only change colour
          <i key={index} data-closeness={judge(0, difference).feedback.closeness} />
        ))}
      </div>
      <Summary attempts={attempts} />
    </section>
  )
})

/** Shows the best and the streak, and the typical difference once there are enough rounds. */
function Summary({ attempts }: { attempts: readonly Attempt[] }) {
  const { length } = attempts
  if (length === 0) return <p className="timing-summary">no rounds yet</p>
  const { bestMs, streak } = recordOf(attempts)
  const bias = length < ENOUGH_ROUNDS ? null : describeDifference(biasOf(attempts.map(differenceOf)))
  return (
    <p className="timing-summary">
      {bias !== null && (
        <span>
          you stop <b>{bias}</b>
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

function countRounds(count: number): string {
  return count === 1 ? '1 round' : `${count} rounds`
}

function differenceOf({ difference }: Attempt): number {
  return toMs(difference)
}

/** Describes the rounds for screen readers. */
function describe(differences: readonly number[]): string {
  if (differences.length === 0) return 'No rounds yet'
  const rounds = countRounds(differences.length)
  const hits = differences.filter(difference => judge(0, difference).wins).length
  const earliest = describeDifference(Math.min(...differences))
  const latest = describeDifference(Math.max(...differences))
  if (earliest === latest) return `${rounds}, ${hits} within ${TOLERANCE}, ${latest}`
  return `${rounds}, ${hits} within ${TOLERANCE}, from ${earliest} to ${latest}`
}
