import type { ClientBase } from 'pg'
import { HAND_SIZE } from '../../contract/rules.ts'
import { ATTEMPT_COLUMNS, ATTEMPT_JOINS } from '../play/attempts.ts'
import { type Command, UsageError } from './command.ts'
import { csvOutcome, readTable, type Table, toLines } from './table.ts'
import { withGame } from './with-database.ts'

/** The most rows that a terminal shows; a spreadsheet gets all. */
const MAX_SHOWN = 1_000

const ATTEMPTS = `(
  select ${ATTEMPT_COLUMNS}, attempts.username as recorded_name from attempts ${ATTEMPT_JOINS}
) as attempts`

const PLAYER = `case when is_guest then 'guest' else 'account' end as player`

const DETAILS = 'target_time as "target in s", actual_time as "time in s", difference as "difference in s"'

const WINS = `select to_char(created_at, 'YYYY-MM-DD HH24:MI:SS') as "won at", won_taps as "TAPS",
  username as name, recorded_name as "won as", ${PLAYER}, ${DETAILS}
  from ${ATTEMPTS} where won_taps is not null order by id desc`

const CLOSEST = `select username as name, ${PLAYER}, ${DETAILS} from ${ATTEMPTS} order by abs(difference), id limit 5`

/** Shows a guest under the name of the last attempt. */
const STANDINGS = `
  select
    coalesce(users.username, played.name) as name,
    case when users.id is not null then 'account' when past_players.player is not null then 'deleted' else 'guest' end
      as player,
    rounds, wins, won_taps as "TAPS won", best as "best in s", hand as "best hand in s"
  from (
    select
      attempts.player, (array_agg(username order by round desc))[1] as name,
      count(*) as rounds, count(prizes.taps) as wins, coalesce(sum(prizes.taps), 0) as won_taps,
      min(abs(difference)) filter (where verified) as best
    from attempts left join prizes on prizes.attempt_id = attempts.id
    group by attempts.player
  ) as played
  left join (
    select player, round(min(sum) * 0.001 / ${HAND_SIZE}, 3) as hand from hands group by player
  ) as hands on hands.player = played.player
  left join users on users.player = played.player
  left join past_players on past_players.player = played.player
  order by won_taps desc, best, rounds desc, name`

export const RESULTS: readonly Command[] = [
  {
    form: 'winners [--csv]',
    help: 'Lists who won what, guests too, and who was closest; --csv prints the wins for a spreadsheet.',
    run: (call, option) =>
      list(call, option, WINS, async client => toLines(await readTable(client, CLOSEST))),
  },
  {
    form: 'players [--csv]',
    help: 'Lists all players, guests too, with rounds, wins, TAPS won, best and best hand; --csv for a spreadsheet.',
    run: (call, option) => list(call, option, STANDINGS),
  },
]

/** @param more - Reads the lines that follow in a terminal. */
async function list(
  call: Parameters<Command['run']>[0],
  option: string | undefined,
  query: string,
  more: (client: ClientBase) => Promise<string[]> = async () => [],
) {
  if (option !== undefined && option !== '--csv') throw new UsageError(`Unknown option ${option}`)
  return withGame(call, async client => {
    if (option) return csvOutcome(await readTable(client, query))
    const table = await readTable(client, `${query} limit ${MAX_SHOWN + 1}`)
    return { ok: true, lines: [...toShortLines(table), ...(await more(client))] }
  })
}

function toShortLines(table: Table): string[] {
  if (table.length <= MAX_SHOWN + 1) return toLines(table)
  return [...toLines(table.slice(0, -1)), 'There are more rows: --csv prints all.']
}
