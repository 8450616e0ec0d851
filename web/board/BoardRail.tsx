import { useState } from 'react'
import type { Attempt } from '../../contract/api.ts'
import { judge, RECENT_ATTEMPTS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { TOLERANCE } from '../messages.ts'
import { remember } from './recent.ts'

/** The rail reaches this far to either side of the target, in ms. */
const REACH_MS = 500

/** Everybody's recent attempts by how far off they were; visual only, since the list beside it says the same in words. */
export function BoardRail({ feed }: { feed: readonly Attempt[] }) {
  const [last, setLast] = useState(feed)
  const [seen, setSeen] = useState(feed)
  if (feed !== last) {
    setLast(feed)
    setSeen(remember(seen, feed))
  }
  const onRail = seen
    .map((attempt, index) => ({ ...attempt, isRecent: index < RECENT_ATTEMPTS }))
    .filter(({ difference }) => toMs(Math.abs(difference)) <= REACH_MS)
  return (
    <div className="wall-rail" aria-hidden="true">
      <i className="wall-band" />
      <i className="wall-tick" />
      {onRail
        .map(({ id, difference, isRecent }) => (
          <i
            key={id}
            className="wall-dot"
            data-recent={isRecent}
            data-closeness={judge(0, toMs(difference)).feedback.closeness}
            style={{ left: `${50 + (50 * toMs(difference)) / REACH_MS}%` }}
          />
        ))
        .reverse()}
      <span className="wall-mark">0.5 s early</span>
      <span className="wall-mark wall-mark--win">±{TOLERANCE} wins</span>
      <span className="wall-mark">0.5 s late</span>
    </div>
  )
}
