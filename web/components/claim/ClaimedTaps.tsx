import { useState } from 'react'
import type { Claimed } from '../../../contract/api.ts'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { describeRank } from '../../live/rankings.ts'
import { charsOf } from '../controls/chars.ts'
import { usePart } from '../hooks/useStore.ts'

interface Props {
  app: App
  claimed: Claimed
}

/** Shows the balance after a claim, in the place of the time. */
export function Balance({ claimed: { user } }: Pick<Props, 'claimed'>) {
  const balance = formatTaps(user.taps_balance)
  return (
    <p className="amount amount--balance" style={charsOf(balance)}>
      <span className="amount-line">
        <span className="inked golden">{balance}</span> <span className="unit">TAPS</span>
      </span>
    </p>
  )
}

/** Announces the TAPS claimed and the balance, and shows the rank once it is known. */
export function ClaimedTaps({ app, claimed: { taps, user } }: Props) {
  const total = `Your balance is ${formatTaps(user.taps_balance)} TAPS.`
  const rank = usePart(app.session.state, ({ session }) => session?.rank)
  return (
    <>
      {/* The answer to a repeated claim reports 0 TAPS. */}
      <p className="visually-hidden">{taps === 0 ? total : `${formatTaps(taps)} TAPS claimed. ${total}`}</p>
      {typeof rank === 'number' && <Rank key={rank} app={app} rank={rank} balance={user.taps_balance} />}
    </>
  )
}

/** Shows a rank as it was first described, because screen readers would announce every change of the leaderboard. */
function Rank({ app: { live }, rank, balance }: Pick<Props, 'app'> & { rank: number; balance: number }) {
  const [text] = useState(() => describeRank(rank, balance, live.get().parts.leaderboard?.leaderboard ?? []))
  return <p className="explanation">{text}</p>
}
