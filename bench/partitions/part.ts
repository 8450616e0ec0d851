import { rm } from 'node:fs/promises'
import { openEmbeddedPostgres } from '../../server/database/embedded/embedded-postgres.ts'
import type { Connection } from '../../server/database/pool.ts'
import { checkLedger } from '../../server/game/ledger.ts'
import { withClient } from '../../tests/support/connect.ts'
import { newDataDir, postmasterOf } from '../../tests/support/shared-postgres.ts'
import { alternate } from '../alternate.ts'
import type { Figure, Part, Section } from '../section.ts'
import { type Series, show } from '../series.ts'
import { copyRows } from './copies.ts'
import { fill } from './fill.ts'
import { History } from './history.ts'
import { type Laws, requireLaws } from './laws.ts'
import { byLastRound, byMonth, type Layout, oneTable } from './layouts.ts'
import { Past } from './past.ts'
import { prune } from './prune.ts'

/** Some 35 GB of disk, and an hour or two. */
const ATTEMPTS = 50_000_000

/** What was asked for, what is there, and another way. */
const LAYOUTS = [byMonth, oneTable, byLastRound]

/** What a run gives, with what each figure is called. */
const PLAY = {
  batch: 'a batch of 150 attempts, ms',
  slow: '… its 99th percentile, ms',
  cpu: 'of PostgreSQL’s processor, µs an attempt',
  log: 'in the log of the database, bytes an attempt',
  leaderboard: 'leaderboard, ms',
  recent: 'recent attempts, ms',
  own: 'own attempts, ms',
}

const log = { info: () => undefined, warn: () => undefined }
/** Nothing else works on these tables while they are measured. */
const QUIET = { autovacuum: 'off' }
/** What is filled in is written once and not to the log as well. */
const FILLING = {
  ...QUIET,
  wal_level: 'minimal',
  max_wal_senders: '0',
  full_page_writes: 'off',
  maintenance_work_mem: '512MB',
  max_wal_size: '2GB',
}

/** `npm run bench:partitions -- 1000000` for as many attempts. */
export const part: Part = {
  async run([asked = ATTEMPTS]) {
    const past = new Past(Number(asked))
    const dataDir = await newDataDir()
    try {
      const filling = await openEmbeddedPostgres({ dataDir, log, settings: FILLING })
      try {
        await Promise.all(LAYOUTS.map(layout => fill(filling.connection, layout, past)))
      } finally {
        await filling.stop()
      }
      const { connection, stop } = await openEmbeddedPostgres({ dataDir, log, settings: QUIET })
      try {
        return await compare(connection, await postmasterOf(dataDir), past)
      } finally {
        await stop()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

async function compare(server: Connection, postmaster: number, past: Past): Promise<Section> {
  const histories = LAYOUTS.map(layout => new History(server, postmaster, layout, past))
  try {
    const figures: Figure[] = []
    const add: Add = (name, [ours = [], table = [], last = []]) => {
      figures.push({
        name,
        ours,
        limit: { name: 'one table', values: table },
        peers: [{ name: 'last rounds', values: last }],
      })
      console.log(`  ${name}: ${[ours, table, last].map(show).join(' | ')}`)
    }
    await compareRooms(add, histories, past)
    await comparePlay(add, histories)
    await compareCopies(add, histories, past)
    const laws = await comparePrunes(add, histories, past)
    return { title: 'Partitions of attempts by month', figures, notes: notes(past, laws) }
  } finally {
    for (const history of histories) await history.close()
  }
}

/** Notes one thing of all layouts, and says it at once: all of them take an hour. */
type Add = (name: string, values: readonly Series[]) => void

async function compareRooms(add: Add, histories: readonly History[], { attempts }: Past): Promise<void> {
  addEach(add, await inTurn(histories, history => history.room()), {
    'disk for an attempt, bytes': room => (room.rows + room.indexes) / attempts,
    '… of them indexes': room => room.indexes / attempts,
  })
}

async function comparePlay(add: Add, histories: readonly History[]): Promise<void> {
  const played = await alternate(histories)
  for (const [key, name] of Object.entries(PLAY)) {
    const of = key as keyof typeof PLAY
    add(
      name,
      played.map(series => series[of]),
    )
  }
}

async function compareCopies(add: Add, histories: readonly History[], { oldest }: Past): Promise<void> {
  const monthOf = (layout: Layout) => [layout.monthRows(oldest)]
  const month = await inTurn(histories, ({ connection, layout }) => copyRows(connection, monthOf(layout)))
  addEach(add, month, { 'backup of one month, s': copied => copied.seconds, '… MB': megabytes })
  const all = await inTurn(histories, ({ connection, layout }) => copyRows(connection, layout.allRows))
  addEach(add, all, { 'backup of all, s': copied => copied.seconds, '… MB': megabytes })
}

const megabytes = ({ bytes }: { bytes: number }) => bytes / 1e6

/** @returns what the laws came to after it; they hold before and after */
async function comparePrunes(add: Add, histories: readonly History[], { oldest }: Past): Promise<Laws> {
  addEach(add, await inTurn(histories, checkSeconds), { '`npm run ledger`, s': seconds => seconds })
  const withSums = histories.filter(({ layout }) => layout.prizeColumns.includes('player'))
  await inTurn(withSums, ({ connection }) => withClient(connection, requireLaws))
  const pruned = await inTurn(histories, history => prune(history, oldest))
  const [laws] = await inTurn(withSums, ({ connection }) => withClient(connection, requireLaws))
  if (!laws || laws.pruned === 0) throw new Error('Nothing was pruned')
  addEach(add, pruned, {
    'pruning a month, s': one => one.seconds,
    '… of that attempts can wait for, ms': one => one.lockedMs,
    '… vacuum after it, s': one => one.vacuumSeconds,
    '… in the log of the database, MB': one => one.logBytes / 1e6,
    '… disk given back, MB': one => one.freedBytes / 1e6,
    '… a batch played meanwhile, ms': one => one.batch,
    '… the longest of them, ms': one => one.longestBatch,
  })
  return laws
}

/** Adds what was measured once of each layout, by the figures' names. */
function addEach<One>(add: Add, all: readonly One[], figures: Record<string, (one: One) => number>): void {
  for (const [name, pick] of Object.entries(figures)) {
    add(
      name,
      all.map(one => [pick(one)]),
    )
  }
}

async function inTurn<One, Result>(
  all: readonly One[],
  act: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const one of all) results.push(await act(one))
  return results
}

/** How long the product's own check takes, which knows nothing of pruned months. */
function checkSeconds({ connection }: History): Promise<number> {
  return withClient(connection, async client => {
    const began = performance.now()
    const { sound, lines } = await checkLedger(client)
    if (!sound) throw new Error(lines.join('\n'))
    return (performance.now() - began) / 1_000
  })
}

function notes(past: Past, laws: Laws): string[] {
  const count = (value: number) => value.toLocaleString('en-GB')
  return [
    `**How.** ${count(past.attempts)} attempts of ${count(past.players)} players over ${past.months.length} months, filled in by SQL, in three
databases of one PostgreSQL: the table of today ("one table"), and two with the same columns that are partitioned by month of
\`created_at\`. A unique key of a partitioned table has to hold what it is partitioned by, so (player, round) is unique in a
table of keys of its own, or is told by one row a player with the last round ("last rounds",
[decision 24](decisions/0024-attempts-by-time.md)); a prize cannot refer to its attempt for the same reason, and keeps the
winner itself. Batches of 150 by players from anywhere in the past are recorded by \`acts/record_attempts.sql\`, changed for
these only in where it looks for a round and what it leaves; three runs of 200 in turn, then reads, the median of 200. Hardly
anybody plays twice between two checkpoints, so nearly each attempt writes a page of an index to the log: the most that a round
can cost there. The indexes were made after the rows and are as small as they can be; those of a game that grew are larger (199
bytes an attempt in all, above).`,
    `**Pruned** is the oldest month, while batches are recorded: by detaching and dropping its partition, or by a delete and a
vacuum. Its sum stays as a row of \`attempts_sums\`. Both laws of the ledger were read before and after: with
${count(laws.added)} TAPS in attempts and ${count(laws.pruned)} in that row both sides are equal, each balance is the sum of the claimed prizes
and each hold of the held ones; without the row they would differ by it. The backups are COPY alone, neither compressed
nor written to the disk; that of one month reads one partition, or the whole table.`,
  ]
}
