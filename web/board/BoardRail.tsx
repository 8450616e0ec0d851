import { useState } from 'react'
import type { Attempt } from '../../contract/api.ts'
import { judge, RECENT_ATTEMPTS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { Ends, place, RailLabel } from '../components/stage/Rail.tsx'
import { TOLERANCE } from '../lib/messages.ts'
import { enlargedAt, ZOOM_REACH_MS } from '../result/scale.ts'

const DIFFERENCES = enlargedAt(0)

const REMEMBERED = 30

/** Plots recent attempts by their difference. Screen readers skip the plot, because a list repeats it. */
export function BoardRail({ feed }: { feed: readonly Attempt[] }) {
  const [last, setLast] = useState(feed)
  const [seen, setSeen] = useState(feed)
  if (feed !== last) {
    setLast(feed)
    setSeen(remember(seen, feed))
  }
  const dots = seen.map(({ id, difference }, index) => ({ id, ms: toMs(difference), index })).reverse()
  return (
    <div className="rail" aria-hidden="true">
      <Ends scale={DIFFERENCES} />
      <div className="band" style={place(DIFFERENCES, -WIN_TOLERANCE_MS, WIN_TOLERANCE_MS)} />
      <div className="tick" style={place(DIFFERENCES, 0)} />
      {dots
        .filter(({ ms }) => Math.abs(ms) <= ZOOM_REACH_MS)
        .map(({ id, ms, index }) => (
          <div
            key={id}
            className={index < RECENT_ATTEMPTS ? 'dot dot--still' : 'ghost'}
            data-closeness={judge(0, ms).feedback.closeness}
            style={place(DIFFERENCES, ms)}
          />
        ))}
      <RailLabel at={DIFFERENCES.shareOf(0)} text={`±${TOLERANCE} wins`} isWin />
    </div>
  )
}

/** Merges the feed into the attempts seen so far, newest first. */
export function remember(seen: readonly Attempt[], feed: readonly Attempt[]): readonly Attempt[] {
  const fresh = new Set(feed.map(({ id }) => id))
  return [...feed, ...seen.filter(({ id }) => !fresh.has(id))].slice(0, REMEMBERED)
}
