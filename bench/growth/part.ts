import type { HistorySize } from '../../tests/support/history.ts'
import { alternate, type Subject } from '../alternate.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Figure, Part } from '../section.ts'
import type { Series } from '../series.ts'
import { makePast, OldGame, type Past, type Played, READ_NAMES } from './old-game.ts'
import { type Concurrency, readRoom } from './room.ts'

const NEW: HistorySize = { attempts: 0, accounts: 1_000 }
const OLD: HistorySize = { attempts: 1_000_000, accounts: 100_000 }
/** `npm run bench:growth -- --full`: minutes of loading, and 4 GB of disk. */
const FULL: HistorySize = { attempts: 10_000_000, accounts: 1_000_000 }

const NOTES = [
  `**How.** Databases with a history loaded by COPY (half of the attempts by accounts, some of which play a thousand times
as much as others; the ledger in balance), side by side in one PostgreSQL, each with a server and a crowd of its own that
plays as fast as it can. The reads are those of the server, one after the other over one connection, each for another
player: the median of 300. That none of them touches more pages after ten times the history is a test
(\`server/database/growth.test.ts\`).`,
]

export const part: Part = {
  async run(words) {
    const sizes = words.includes('--full') ? [OLD, FULL] : [OLD]
    const stage = await RoundsStage.open()
    const games: OldGame[] = []
    try {
      const pasts: Past[] = []
      for (const size of [NEW, ...sizes]) pasts.push(await makePast(stage, size))
      // Only now: to load the greatest takes minutes, and a connection that is idle for one is closed.
      for (const past of pasts) games.push(await OldGame.open(stage, past))
      const [fresh, ...old] = await alternate(games.map(subject))
      const figures = old.flatMap((played, place) => compare(sizes[place] ?? OLD, played, fresh))
      const newest = games.at(-1)
      if (!newest || !fresh) throw new Error('There are always two games')
      return {
        title: 'Growth',
        figures: [...figures, ...sizesOf(await readRoom(newest.connection), newest.size)],
        notes: NOTES,
      }
    } finally {
      for (const game of games) await game.close()
      await stage.close()
    }
  },
}

type Runs = Readonly<Record<keyof Played, Series>>

function subject(game: OldGame): Subject<keyof Played> {
  return { name: `after ${game.size.attempts} attempts`, measure: () => game.measure() }
}

function compare({ attempts, accounts }: HistorySize, old: Runs, fresh: Runs | undefined): Figure[] {
  const after = `after ${attempts.toLocaleString('en-GB')} attempts of ${accounts.toLocaleString('en-GB')} accounts`
  const limit = (key: keyof Played) => ({ name: 'new game', values: fresh?.[key] ?? [] })
  return [
    {
      name: `${after}: rounds a second`,
      ours: old.rounds,
      wanted: '≥ 0.9 of the limit',
      limit: limit('rounds'),
    },
    { name: '… bytes in the log of the database for a round', ours: old.wal, limit: limit('wal') },
    ...READ_NAMES.map(name => ({
      name: `… ${name}, ms`,
      ours: old[name],
      wanted: '≤ 1',
      limit: limit(name),
    })),
  ]
}

function sizesOf(room: Concurrency, { attempts }: HistorySize): Figure[] {
  return [
    {
      name: `disk for one of ${attempts.toLocaleString('en-GB')} attempts, bytes`,
      ours: [room.bytesPerAttempt],
    },
    {
      name: 'disk for an account, its session and its prizes, bytes',
      ours: [room.bytesPerAccount],
    },
    { name: 'updates of the pool that stay on its page, %', ours: [room.poolHot * 100] },
    { name: 'pages of the pool, which is one row', ours: [room.poolPages] },
  ]
}
