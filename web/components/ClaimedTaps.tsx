import type { Claimed } from '../../contract/api.ts'
import { formatTaps } from '../format.ts'

/** The balance after a claim, read out as one sentence. */
export function ClaimedTaps({ claimed: { taps, user } }: { claimed: Claimed }) {
  const balance = formatTaps(user.taps_balance)
  const total = `Your balance is ${balance} TAPS.`
  return (
    <p className="winnings">
      {/* A claim sent again after a lost answer moves 0 TAPS. */}
      <span className="visually-hidden">
        {taps === 0 ? total : `${formatTaps(taps)} TAPS claimed. ${total}`}
      </span>
      <span aria-hidden="true">
        You have <span className="inked golden">{`${balance} TAPS`}</span>
      </span>
    </p>
  )
}
