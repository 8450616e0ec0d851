import { memo } from 'react'
import type { Attempt } from '../../contract/api.ts'
import { judge, RECENT_ATTEMPTS } from '../../contract/rules.ts'
import { formatSigned, formatTime, toMs } from '../../contract/time.ts'
import { formatTaps } from '../format.ts'
import type { Live } from '../live.ts'
import { useRows } from './useRows.ts'
import { usePart } from './useStore.ts'
import './board.css'
import './RecentAttempts.css'

/** The most recent attempts of everybody, newest first, and whether they are live. */
export const RecentAttempts = memo(function RecentAttempts({ live }: { live: Live }) {
  const status = usePart(live, ({ status }) => status)
  const attempts = usePart(live, ({ parts }) => parts.attempts)?.attempts ?? null
  const { items, leaving, calm } = useRows(attempts, idOf)
  return (
    <section className="card board" aria-label="Recent attempts">
      <div className="heading">
        <h2 className="label">Recent attempts</h2>
        <p key={status} className="live-status" data-status={status}>
          {status}
        </p>
      </div>
      {attempts?.length === 0 && <p className="empty">No attempts yet. Yours would be the first.</p>}
      <ol className="rows attempts" data-calm={calm}>
        {[...items, ...leaving].map((attempt, index) => (
          <Row key={attempt.id} attempt={attempt} index={index} leaves={index >= items.length} />
        ))}
      </ol>
    </section>
  )
})

function idOf({ id }: Attempt): number {
  return id
}

function Row({ attempt, index, leaves }: { attempt: Attempt; index: number; leaves: boolean }) {
  const actualMs = toMs(attempt.actual_time)
  const targetMs = toMs(attempt.target_time)
  const { differenceMs, feedback } = judge(targetMs, actualMs)
  return (
    <li
      className="row attempt"
      aria-hidden={leaves}
      data-closeness={feedback.closeness}
      style={{ transform: `translateY(${100 * (leaves ? RECENT_ATTEMPTS : index)}%)` }}
    >
      <div className="attempt-who">
        <bdi className="name">{attempt.username}</bdi>
        {!attempt.is_guest && (
          <svg className="mark" viewBox="0 0 16 16" role="img" aria-label="account">
            <path d="M8 1l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V3zM5 8l2 2 4-4" />
          </svg>
        )}
      </div>
      <span className="difference inked">{formatSigned(differenceMs)} s</span>
      <span className="times">
        {formatTime(actualMs)} s for {formatTime(targetMs)} s
        {!attempt.verified && <span className="unverified">not verified</span>}
      </span>
      {attempt.won_taps !== null && <span className="won">won {formatTaps(attempt.won_taps)}</span>}
    </li>
  )
}
