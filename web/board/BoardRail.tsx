import { useState } from 'react'
import type { Attempt } from '../../contract/api.ts'
import { judge, RECENT_ATTEMPTS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { TOLERANCE } from '../messages.ts'
import { ZOOM_REACH_MS } from '../scale.ts'
import { remember } from './recent.ts'
import '../components/Rail.css'

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
    <div className="rail wall-rail" aria-hidden="true">
      <div className="end" style={{ left: '0%' }} />
      <div className="end" style={{ left: '100%' }} />
      <div className="band" style={{ left: placeOf(-WIN_TOLERANCE_MS), right: placeOf(-WIN_TOLERANCE_MS) }} />
      <div className="tick" style={{ left: placeOf(0) }} />
      {dots
        .filter(({ ms }) => Math.abs(ms) <= ZOOM_REACH_MS)
        .map(({ id, ms, index }) => (
          <div
            key={id}
            className={index < RECENT_ATTEMPTS ? 'dot dot--still' : 'ghost'}
            data-closeness={judge(0, ms).feedback.closeness}
            style={{ left: placeOf(ms) }}
          />
        ))}
      <div className="rail-label" data-side="start" data-text="0.5 s early" style={{ left: '0%' }} />
      <div className="rail-label" data-win="true" data-text={`±${TOLERANCE} wins`} style={{ left: '50%' }} />
      <div className="rail-label" data-side="end" data-text="0.5 s late" style={{ left: '100%' }} />
    </div>
  )
}

function placeOf(differenceMs: number): string {
  return `${50 + (50 * differenceMs) / ZOOM_REACH_MS}%`
}
