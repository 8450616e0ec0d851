import { useState } from 'react'
import type { Attempt } from '../../contract/api.ts'
import { judge, RECENT_ATTEMPTS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { place, Rail } from '../components/stage/Rail.tsx'
import { enlargedAt, ZOOM_REACH_MS } from '../result/scale.ts'

const DIFFERENCES = enlargedAt(0)

const REMEMBERED = 30

/** Plots recent attempts by their difference. Screen readers skip the plot, because a list repeats it. */
export function BoardRail({ feed }: { feed: readonly Attempt[] }) {
  const [last, setLast] = useState({ feed, seen: feed })
  if (feed !== last.feed) setLast({ feed, seen: remember(last.seen, feed) })
  const dots = last.seen.map(({ id, difference }, index) => ({ id, ms: toMs(difference), index })).reverse()
  return (
    <Rail scale={DIFFERENCES} targetMs={0}>
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
    </Rail>
  )
}

/** Merges the feed into the attempts seen so far, newest first. */
export function remember(seen: readonly Attempt[], feed: readonly Attempt[]): readonly Attempt[] {
  const fresh = new Set(feed.map(({ id }) => id))
  return [...feed, ...seen.filter(({ id }) => !fresh.has(id))].slice(0, REMEMBERED)
}
