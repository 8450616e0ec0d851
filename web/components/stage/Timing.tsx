import { memo } from 'react'
import type { PlayerRecord } from '../../../contract/api.ts'
import { HAND_SIZE, judge } from '../../../contract/rules.ts'
import { formatDifference, toMs } from '../../../contract/time.ts'
import { describeDifference } from '../../lib/format.ts'
import { TOLERANCE } from '../../messages.ts'
import { type Averages, handOf } from '../../result/hand.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { BEST_WITHIN_MS, biasOf, ENOUGH_ROUNDS } from '../../result/timing.ts'
import { useStore } from '../hooks/useStore.ts'

interface Props {
  myAttempts: MyAttempts
  /** The record over all rounds; undefined while unknown. */
  record: PlayerRecord | undefined
}

/** Shows the player's hand of five rounds as squares, where the player usually stops, and the record. */
export const Timing = memo(function Timing({ myAttempts, record }: Props) {
  const attempts = useStore(myAttempts.attempts)
  const isKnown = useStore(myAttempts.isKnown)
  const { rounds, isFresh } = useStore(myAttempts.hand)
  const differences = attempts.map(({ difference }) => toMs(difference))
  const { differencesMs, averages } = handOf(rounds, attempts)
  const summary = averages && describeAverages(averages)
  return (
    <section className="strip timing" aria-label="Your timing">
      <h2 className="label">Your timing</h2>
      <Squares differencesMs={differencesMs} pops={isFresh && averages !== null} />
      <p className="timing-summary">
        {isKnown && differences.length === 0 && <span>no rounds yet</span>}
        {summary !== null && <span>{summary}</span>}
        {summary === null && differences.length >= ENOUGH_ROUNDS && (
          <span>
            you stop <b>{describeDifference(biasOf(differences))}</b>
          </span>
        )}
        {typeof record?.best === 'number' && toMs(record.best) <= BEST_WITHIN_MS && (
          <span>
            best <b>{`${formatDifference(toMs(record.best))} s`}</b>
          </span>
        )}
        {summary === null && record !== undefined && record.streak > 1 && (
          <span>
            streak <b>{record.streak}</b>
          </span>
        )}
      </p>
    </section>
  )
})

function Squares({ differencesMs, pops }: { differencesMs: readonly number[]; pops: boolean }) {
  return (
    <div className="squares" data-pops={pops} role="img" aria-label={describe(differencesMs)}>
      {Array.from({ length: HAND_SIZE }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: squares keep their places and only change colour
        <i key={place} style={{ animationDelay: `${40 * place}ms` }} {...squareOf(differencesMs, place)} />
      ))}
    </div>
  )
}

/** Returns the attributes of a square; an empty place has none. */
function squareOf(differencesMs: readonly number[], place: number) {
  const difference = differencesMs[place]
  if (difference === undefined) return {}
  const { closeness } = judge(0, difference).feedback
  return { 'data-closeness': closeness, 'data-newest': place === differencesMs.length - 1 }
}

function describeAverages({ nowMs, beforeMs }: Averages): string {
  const before = beforeMs === null ? '' : `, ${formatDifference(beforeMs)} before`
  return `${formatDifference(nowMs)} s average${before}`
}

/** Describes the hand for screen readers. */
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
