import { type CSSProperties, memo, useState } from 'react'
import type { Attempt } from '../../../contract/api.ts'
import { judge, RECENT_ATTEMPTS } from '../../../contract/rules.ts'
import { formatSigned, formatTime, toMs } from '../../../contract/time.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Live } from '../../live/live.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart } from '../hooks/useStore.ts'
import { Invite } from './Invite.tsx'
import { Named } from './Named.tsx'

interface Props {
  live: Live
  /** Whether new wins may be highlighted; false while a highlight would distract the player. */
  highlightsWins: boolean
  /** The player's attempts; undefined in board mode, which has no player. */
  myAttempts?: MyAttempts
  /** What an empty feed says. */
  empty?: string
}

/** Shows the latest attempts of all players, newest first. */
export const RecentAttempts = memo(function RecentAttempts({
  live,
  highlightsWins,
  myAttempts,
  empty = 'No attempts yet. Yours would be the first.',
}: Props) {
  const status = usePart(live, ({ status }) => status)
  const attempts = usePart(live, ({ parts }) => parts.attempts)?.attempts ?? null
  const rows = useLeaving(attempts ?? NO_ATTEMPTS)
  const calm = useSettled(attempts)
  const won = attempts?.find(({ won_taps }) => won_taps !== null)?.id ?? null
  const isNews = useSettled(attempts === null ? null : (won ?? 'none'), highlightsWins)
  return (
    <section className="card board" aria-label="Recent attempts">
      <div className="heading">
        <h2 className="label">Recent attempts</h2>
        <p className="live-status" data-status={status}>
          {status}
        </p>
      </div>
      {attempts?.length === 0 && <p className="empty">{empty}</p>}
      <ol
        className="rows attempts"
        data-calm={calm}
        data-loading={attempts === null}
        style={{ '--slots': RECENT_ATTEMPTS } as CSSProperties}
      >
        {rows.map((attempt, index) => (
          <Row
            key={attempt.id}
            attempt={attempt}
            index={index}
            isNews={isNews && attempt.id === won}
            isLeaving={index >= (attempts?.length ?? 0)}
          />
        ))}
      </ol>
      {myAttempts && <Invite live={live} myAttempts={myAttempts} />}
    </section>
  )
})

const NO_ATTEMPTS: readonly Attempt[] = []

/** Returns the attempts, followed by the attempts that newer ones have just pushed out. */
function useLeaving(attempts: readonly Attempt[]): readonly Attempt[] {
  const [last, setLast] = useState({ attempts, rows: attempts })
  if (last.attempts === attempts) return last.rows
  const rows = [...attempts, ...pushedOut(last.attempts, attempts)]
  setLast({ attempts, rows })
  return rows
}

/** Returns the attempts that a full feed has no place for. Leaves out deleted attempts, which make place. */
export function pushedOut(before: readonly Attempt[], now: readonly Attempt[]): readonly Attempt[] {
  const oldest = now[RECENT_ATTEMPTS - 1]?.id ?? 0
  return before.filter(({ id }) => id < oldest)
}

interface RowProps {
  attempt: Attempt
  index: number
  /** Whether the row moves out of view. */
  isLeaving: boolean
  /** Whether the attempt is a win that has just happened. */
  isNews: boolean
}

function Row({ attempt, index, isNews, isLeaving }: RowProps) {
  const actualMs = toMs(attempt.actual_time)
  const targetMs = toMs(attempt.target_time)
  const { differenceMs, feedback } = judge(targetMs, actualMs)
  return (
    <li
      className={isNews ? 'row attempt sweep' : 'row attempt'}
      aria-hidden={isLeaving || undefined}
      data-closeness={feedback.closeness}
      style={{ transform: `translateY(${100 * index}%)` }}
    >
      <Named name={attempt.username} isGuest={attempt.is_guest} />
      <span className="difference inked">{`${formatSigned(differenceMs)} s`}</span>
      <span className="times">
        <span>{`${formatTime(actualMs)} s for ${formatTime(targetMs)} s`}</span>
        {!attempt.verified && <span className="unverified">not verified</span>}
      </span>
      {attempt.won_taps !== null && <span className="won">{`won ${formatTaps(attempt.won_taps)}`}</span>}
    </li>
  )
}
