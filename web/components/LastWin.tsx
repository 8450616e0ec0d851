import { Fragment } from 'react'
import type { LastWin as Win } from '../../contract/api.ts'
import { formatAgo, formatTaps } from '../format.ts'
import { useNow } from './useNow.ts'
import './LastWin.css'

interface Props {
  win: Win
  /** Sweeps gold over a win that has just happened. */
  isNews?: boolean
}

/**
 * Names the last winner, the amount and its age. Changing text has its own elements: a browser that
 * translates the page replaces text nodes that React still updates.
 */
export function LastWin({ win, isNews = false }: Props) {
  useNow()
  const { username, is_guest, won_taps, created_at } = win
  const ago = formatAgo(Date.now() - Date.parse(created_at))
  return (
    <p key={created_at} className={isNews ? 'sweep' : undefined}>
      {/* A new key per width avoids layout shifts. */}
      <Fragment key={ago}>
        <bdi>{username}</bdi> {is_guest && <span className="tag">guest</span>}{' '}
        <span className="last-win-what">
          won {formatTaps(won_taps)} TAPS<span>, {ago}</span>
        </span>
      </Fragment>
    </p>
  )
}
