import type { Attempt } from '../../contract/api.ts'
import { judge, MY_ATTEMPTS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { TOLERANCE } from '../messages.ts'
import type { MyAttempts } from '../my-attempts.ts'
import { describeDifference, describeTiming, timingOf } from '../timing.ts'
import { useStore } from './useStore.ts'
import './YourTiming.css'

/** The plot reaches this far either way; what lies beyond is drawn at its edge. */
const PLOT_REACH_MS = 500

/** How the player has been stopping: the last attempts as a plot, and one sentence. */
export function YourTiming({ myAttempts }: { myAttempts: MyAttempts }) {
  const attempts = useStore(myAttempts.attempts).toReversed()
  return (
    <section className="timing" aria-label="Your timing">
      <div className="heading">
        <h2 className="label">Your timing, last {MY_ATTEMPTS}</h2>
        <Sentence differences={attempts.map(differenceOf)} />
      </div>
      <Plot attempts={attempts} />
    </section>
  )
}

function Sentence({ differences }: { differences: readonly number[] }) {
  if (differences.length === 0) return <p className="timing-line">your rounds will show here</p>
  const { bias, spread } = describeTiming(timingOf(differences))
  return (
    <p key={`${bias} ${spread}`} className="timing-line">
      you stop <b>{bias}</b>
      {spread !== null && `, ${spread}`}
    </p>
  )
}

/** Oldest to newest from the left; late is up. */
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

/** The share of the plot's height that its reach takes; the rest is for the words at top and bottom. */
const PLOT_SHARE = 0.84
const BAND_HEIGHT = percent((PLOT_SHARE * WIN_TOLERANCE_MS) / PLOT_REACH_MS)

/** Left of the dots is room for the words "late" and "early". */
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
  const hits = differences.filter(difference => judge(0, difference).wins).length
  const earliest = describeDifference(Math.min(...differences))
  const latest = describeDifference(Math.max(...differences))
  return `${differences.length} rounds, ${hits} within ${TOLERANCE}, from ${earliest} to ${latest}`
}
