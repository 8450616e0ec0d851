import type { Claimed } from '../../../contract/api.ts'
import { formatTaps } from '../../lib/format.ts'

/** Shows the balance after a claim. Screen readers also announce the TAPS claimed. */
export function ClaimedTaps({ claimed: { taps, user } }: { claimed: Claimed }) {
  const balance = formatTaps(user.taps_balance)
  const total = `Your balance is ${balance} TAPS.`
  return (
    <p className="winnings">
      {/* The answer to a repeated claim reports 0 TAPS. */}
      <span className="visually-hidden">
        {taps === 0 ? total : `${formatTaps(taps)} TAPS claimed. ${total}`}
      </span>
      <span aria-hidden="true">
        You have <span className="inked golden">{`${balance} TAPS`}</span>
      </span>
    </p>
  )
}
