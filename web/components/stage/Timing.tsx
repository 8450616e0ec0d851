import { memo } from 'react'
import type { PlayerRecord } from '../../../contract/api.ts'
import { judge } from '../../../contract/rules.ts'
import { formatDifference, toMs } from '../../../contract/time.ts'
import { describeDifference } from '../../lib/format.ts'
import { TOLERANCE } from '../../messages.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { BEST_WITHIN_MS, biasOf, ENOUGH_ROUNDS } from '../../result/timing.ts'
import { useStore } from '../hooks/useStore.ts'

const SQUARES = 5

interface Props {
  myAttempts: MyAttempts
  /** The record over all rounds; undefined while unknown. */
  record: PlayerRecord | undefined
}

/** Shows the player's last rounds as squares, where the player usually stops, and the record. */
export const Timing = memo(function Timing({ myAttempts, record }: Props) {
  const attempts = useStore(myAttempts.attempts)
  const isKnown = useStore(myAttempts.isKnown)
  const differences = attempts.map(({ difference }) => toMs(difference))
  return (
    <section className="strip timing" aria-label="Your timing">
      <h2 className="label">Your timing</h2>
      <div className="squares" role="img" aria-label={describe(differences)}>
        {differences
          .slice(0, SQUARES)
          .reverse()
          .map((difference, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: squares keep their places and only change colour
            <i key={index} data-closeness={judge(0, difference).feedback.closeness} />
          ))}
      </div>
      <p className="timing-summary">
        {isKnown && differences.length === 0 && <span>no rounds yet</span>}
        {differences.length >= ENOUGH_ROUNDS && (
          <span>
            you stop <b>{describeDifference(biasOf(differences))}</b>
          </span>
        )}
        {typeof record?.best === 'number' && toMs(record.best) <= BEST_WITHIN_MS && (
          <span>
            best <b>{`${formatDifference(toMs(record.best))} s`}</b>
          </span>
        )}
        {record !== undefined && record.streak > 1 && (
          <span>
            streak <b>{record.streak}</b>
          </span>
        )}
      </p>
    </section>
  )
})

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
