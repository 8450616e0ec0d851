import type { Claimed } from '../../contract/api.ts'
import { formatTaps } from '../format.ts'

/** What a claim brought, and the balance, as header and leaderboard say it. */
export function ClaimedTaps({ claimed: { taps, user } }: { claimed: Claimed }) {
  const total = `Your balance is ${formatTaps(user.taps_balance)} TAPS.`
  // A claim that is sent again after a lost answer moves nothing; the balance still shows it.
  return <p className="winnings">{taps === 0 ? total : `${formatTaps(taps)} TAPS claimed. ${total}`}</p>
}
