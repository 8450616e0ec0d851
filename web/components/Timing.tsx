import { memo } from 'react'
import type { Attempt } from '../../contract/api.ts'
import { judge, MY_ATTEMPTS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { formatDifference, toMs } from '../../contract/time.ts'
import { describeDifference } from '../difference.ts'
import { TOLERANCE } from '../messages.ts'
import type { MyAttempts } from '../my-attempts.ts'
import { describeTiming, ENOUGH_ROUNDS, recordOf, timingOf } from '../timing.ts'
import { useStore } from './useStore.ts'
import './Timing.css'

/** The plot reaches this far either way, in ms; what lies beyond is drawn at its edge. */
const PLOT_REACH_MS = 500

/** How the player has been stopping: their record in one line, a sentence, and a plot. */
export const Timing = memo(function Timing({ myAttempts }: { myAttempts: MyAttempts }) {
  const attempts = useStore(myAttempts.attempts).toReversed()
  const differences = attempts.map(differenceOf)
  return (
    <section className="timing" aria-label="Your timing">
      <div className="timing-words">
        <h2 className="label">Your timing, last {MY_ATTEMPTS}</h2>
        <Sentence differences={differences} />
        <Record attempts={attempts} />
      </div>
      <Plot attempts={attempts} />
    </section>
  )
})

function Record({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null
  const { bestMs, streak, hitShare } = recordOf(attempts)
  const isTelling = attempts.length >= ENOUGH_ROUNDS
  return (
    <p key={`${bestMs} ${streak} ${hitShare}`} className="timing-line">
      best <b>{formatDifference(bestMs)} s</b>
      {streak > 1 && (
        <>
          {' '}
          · streak <b>{streak}</b>
        </>
      )}
      {isTelling && (
        <>
          {' '}
          · <b>{Math.round(100 * hitShare)} %</b> hits
        </>
      )}
    </p>
  )
}

/** Shown only after enough rounds to mean something. */
function Sentence({ differences }: { differences: readonly number[] }) {
  if (differences.length < ENOUGH_ROUNDS) return null
  const { bias, spread } = describeTiming(timingOf(differences))
  return (
    <p key={`${bias} ${spread}`} className="timing-line">
      you stop <b>{bias}</b>
      {spread !== null && `, ${spread}`}
    </p>
  )
}

/** Oldest on the left; late is up. */
function Plot({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <svg className="plot" role="img" aria-label={describePlot(attempts.map(differenceOf))}>
      <rect className="band" x="0" y={y(WIN_TOLERANCE_MS)} width="100%" height={BAND_HEIGHT} />
      <line className="on-time" x1="0" x2="100%" y1="50%" y2="50%" />
      {attempts.map((attempt, index) => (
        <circle
          key={attempt.id}
          data-closeness={judge(0, differenceOf(attempt)).feedback.closeness}
          style={{
            transform: `translate(${x(index)}, ${y(differenceOf(attempt))})`,
          }}
          r={index === attempts.length - 1 ? 6 : 4}
          opacity={0.5 + (0.5 * (index + 1)) / attempts.length}
        />
      ))}
      <text x="0" y="0" dy="0.8em">
        late
      </text>
      <text x="0" y="100%" dy="-0.2em">
        early
      </text>
    </svg>
  )
}

/** The share of the plot's height for its reach; the rest is for the words at top and bottom. */
const PLOT_SHARE = 0.84
const BAND_HEIGHT = percent((PLOT_SHARE * WIN_TOLERANCE_MS) / PLOT_REACH_MS)

/** Leaves room for the words "late" and "early" left of the dots. */
const WORDS_WIDTH = '2.75rem'

function x(index: number): string {
  return `calc(${WORDS_WIDTH} + (100% - ${WORDS_WIDTH}) * ${((index + 0.5) / MY_ATTEMPTS).toFixed(4)})`
}

function y(differenceMs: number): string {
  const shown = Math.max(-PLOT_REACH_MS, Math.min(PLOT_REACH_MS, differenceMs))
  return percent(0.5 - (PLOT_SHARE * shown) / (2 * PLOT_REACH_MS))
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}

function differenceOf({ difference }: Attempt): number {
  return toMs(difference)
}

/** What the plot shows, in words. */
function describePlot(differences: readonly number[]): string {
  if (differences.length === 0) return 'No rounds yet'
  const rounds = differences.length === 1 ? '1 round' : `${differences.length} rounds`
  const hits = differences.filter(difference => judge(0, difference).wins).length
  const earliest = describeDifference(Math.min(...differences))
  const latest = describeDifference(Math.max(...differences))
  if (earliest === latest) return `${rounds}, ${hits} within ${TOLERANCE}, ${latest}`
  return `${rounds}, ${hits} within ${TOLERANCE}, from ${earliest} to ${latest}`
}
