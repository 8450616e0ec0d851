import { useEffect, useState } from 'react'
import type { Claimed } from '../../contract/api.ts'
import { formatTaps } from '../format.ts'
import { useCounted } from './useCounted.ts'
import { CALM_MS } from './useSettled.ts'

/** The balance after a claim, which counts up from what it was; read out as one sentence. */
export function ClaimedTaps({ claimed: { taps, user } }: { claimed: Claimed }) {
  const balance = user.taps_balance
  const [amount, setAmount] = useState(balance - taps)
  useEffect(() => {
    const timer = setTimeout(() => setAmount(balance), CALM_MS)
    return () => clearTimeout(timer)
  }, [balance])
  const shown = formatTaps(useCounted(amount))
  return (
    <p className="winnings">
      <span className="visually-hidden">{thanks(taps, balance)}</span>
      {/* A new element for each width, so that nothing beside the amount counts as shifted. */}
      <span key={shown.length} aria-hidden="true">
        You have <span className="inked golden">{`${shown} TAPS`}</span>
      </span>
    </p>
  )
}

/** A claim that is sent again after a lost answer moves nothing; the balance still shows it. */
function thanks(taps: number, balance: number): string {
  const total = `Your balance is ${formatTaps(balance)} TAPS.`
  return taps === 0 ? total : `${formatTaps(taps)} TAPS claimed. ${total}`
}
