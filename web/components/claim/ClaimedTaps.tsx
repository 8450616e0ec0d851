import type { Claimed } from '../../../contract/api.ts'
import { LEADERBOARD_SIZE } from '../../../contract/rules.ts'
import type { App } from '../../app.ts'
import { formatOrdinal, formatTaps } from '../../lib/format.ts'
import { usePart } from '../hooks/useStore.ts'

interface Props {
  app: App
  claimed: Claimed
}

/** Shows the balance and the rank after a claim. Screen readers also announce the TAPS claimed. */
export function ClaimedTaps({ app, claimed: { taps, user } }: Props) {
  const balance = formatTaps(user.taps_balance)
  const total = `Your balance is ${balance} TAPS.`
  const rank = usePart(app.session.state, ({ session }) => session?.rank)
  const rows = usePart(app.live, ({ parts }) => parts.leaderboard)?.leaderboard
  const tenth = rows?.[LEADERBOARD_SIZE - 1]?.taps_balance ?? 0
  return (
    <p className="winnings">
      {/* The answer to a repeated claim reports 0 TAPS. */}
      <span className="visually-hidden">
        {taps === 0 ? total : `${formatTaps(taps)} TAPS claimed. ${total}`}
      </span>
      <span aria-hidden="true">
        You have <span className="inked golden">{`${balance} TAPS`}</span>
      </span>
      {typeof rank === 'number' && (
        <span className="standing">{describeStanding(rank, tenth - user.taps_balance)}</span>
      )}
    </p>
  )
}

/** @param missing - The TAPS between the player's balance and the last balance of the leaderboard. */
function describeStanding(rank: number, missing: number): string {
  // The older account keeps its place at equal balances.
  if (rank <= LEADERBOARD_SIZE || missing < 0) return ` · ${formatOrdinal(rank)}`
  return ` · ${formatOrdinal(rank)}, ${formatTaps(missing + 1)} to the top ten`
}
