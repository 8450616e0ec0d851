import type { LastWin as Win } from '../../../contract/api.ts'
import { formatAgo, formatTaps } from '../../lib/format.ts'
import { ageOf } from '../../net/server-clock.ts'
import { useNow } from '../hooks/useTime.ts'
import { Named } from './Named.tsx'

interface Props {
  win: Win
  /** Whether the player has won. */
  isOwn?: boolean
  /** Whether the win has just happened. */
  isNews?: boolean
}

/**
 * Shows the last winner, the amount and, once the page knows the time, the age of the win. Elements enclose text that
 * changes, because a browser that translates a page replaces text nodes.
 */
export function LastWin({ win, isOwn = false, isNews = false }: Props) {
  useNow()
  const { username, is_guest, won_taps, created_at } = win
  const age = ageOf(created_at)
  return (
    <p key={created_at} className={isNews ? 'sweep' : undefined}>
      <Named name={isOwn ? 'You' : username} isGuest={is_guest && !isOwn} />{' '}
      <span className="last-win-what">
        won <span className="last-win-taps">{`${formatTaps(won_taps)} TAPS`}</span>
        <span>{age === null ? null : `, ${formatAgo(age)}`}</span>
      </span>
    </p>
  )
}
