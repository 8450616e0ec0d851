import { Fragment } from 'react'
import type { LastWin as Win } from '../../contract/api.ts'
import { formatAgo, formatTaps } from '../format.ts'
import { useNow } from './useNow.ts'
import './LastWin.css'

interface Props {
  win: Win
  /** Marks a win that has just happened, for a gold sweep. */
  isNews?: boolean
}

/**
 * Who won last, how much, and how long ago. What changes is alone in its element: a browser that translates the page puts
 * text into elements of its own, and React would go on with the old ones.
 */
export function LastWin({ win, isNews = false }: Props) {
  useNow()
  const { username, is_guest, won_taps, created_at } = win
  const ago = formatAgo(Date.now() - Date.parse(created_at))
  return (
    <p key={created_at} className={isNews ? 'sweep' : undefined}>
      {/* New elements for each width, so that no word counts as shifted. */}
      <Fragment key={ago}>
        <bdi>{username}</bdi> {is_guest && <span className="tag">guest</span>} won {formatTaps(won_taps)}{' '}
        TAPS, <span>{ago}</span>
      </Fragment>
    </p>
  )
}
