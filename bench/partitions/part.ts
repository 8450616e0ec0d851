import { rm } from 'node:fs/promises'
import { newDataDir, postmasterOf } from '../../faults/postgres.ts'
import { openEmbeddedPostgres } from '../../server/database/embedded/embedded-postgres.ts'
import type { Connection } from '../../server/database/pool.ts'
import { checkLedger } from '../../server/game/ledger.ts'
import { withClient } from '../../server/testing/connect.ts'
import { alternate } from '../alternate.ts'
import type { Figure, Part, Section } from '../section.ts'
import type { Series } from '../series.ts'
import { copyRows } from './copies.ts'
import { fill, History } from './history.ts'
import { requireLaws } from './laws.ts'
import { byMonth, oneTable } from './layouts.ts'
import { Past } from './past.ts'
import { prune } from './prune.ts'

/** Some 25 GB of disk, and an hour. */
const ATTEMPTS = 50_000_000

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
  async run([words]) {
    const past = new Past(Number(words ?? ATTEMPTS))
    const dataDir = await newDataDir()
    try {
      const filling = await openEmbeddedPostgres({ dataDir, log, settings: FILLING })
      try {
        await Promise.all([byMonth, oneTable].map(layout => fill(filling.connection, layout, past)))
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
  const months = new History(server, postmaster, byMonth, past)
  const whole = new History(server, postmaster, oneTable, past)
  try {
    const rooms = [await months.room(), await whole.room()] as const
    const [played, playedWhole] = await alternate([months, whole])
    if (!played || !playedWhole) throw new Error('Both were measured')
    const figures: Figure[] = []
    const add = (name: string, ours: Series, theirs: Series) => {
      figures.push({ name, ours, limit: { name: 'one table', values: theirs } })
      console.log(`  ${name}: ${ours.join(', ')} against ${theirs.join(', ')}`)
    }
    const [room, roomWhole] = rooms
    const each = (bytes: number) => [bytes / past.attempts]
    add(
      'disk for an attempt, bytes',
      each(room.rows + room.indexes),
      each(roomWhole.rows + roomWhole.indexes),
    )
    add('… of them indexes', each(room.indexes), each(roomWhole.indexes))
    add('a batch of 150 attempts, ms', played.batch, playedWhole.batch)
    add('… its 99th percentile, ms', played.slow, playedWhole.slow)
    add('of PostgreSQL’s processor, µs an attempt', played.cpu, playedWhole.cpu)
    add('in the log of the database, bytes an attempt', played.log, playedWhole.log)
    add('leaderboard, ms', played.leaderboard, playedWhole.leaderboard)
    add('recent attempts, ms', played.recent, playedWhole.recent)
    add('own attempts, ms', played.own, playedWhole.own)

    const { oldest } = past
    const copy = (history: History) => copyRows(history.connection, [history.layout.monthRows(oldest)])
    const [month, monthWhole] = [await copy(months), await copy(whole)]
    add('backup of one month, s', [month.seconds], [monthWhole.seconds])
    add('… MB', [month.bytes / 1e6], [monthWhole.bytes / 1e6])
    const [all, allWhole] = [
      await copyRows(months.connection, byMonth.allRows),
      await copyRows(whole.connection, oneTable.allRows),
    ]
    add('backup of all, s', [all.seconds], [allWhole.seconds])
    add('… MB', [all.bytes / 1e6], [allWhole.bytes / 1e6])

    add('`npm run ledger`, s', [await checkSeconds(months)], [await checkSeconds(whole)])
    await withClient(months.connection, requireLaws)
    const [pruned, prunedWhole] = [await prune(months, oldest), await prune(whole, oldest)]
    const laws = await withClient(months.connection, requireLaws)
    if (laws.pruned === 0) throw new Error('Nothing was pruned')
    add('pruning a month, s', [pruned.seconds], [prunedWhole.seconds])
    add('… of that attempts can wait for, ms', [pruned.lockedMs], [prunedWhole.lockedMs])
    add('… vacuum after it, s', [pruned.vacuumSeconds], [prunedWhole.vacuumSeconds])
    add('… in the log of the database, MB', [pruned.logBytes / 1e6], [prunedWhole.logBytes / 1e6])
    add('… disk given back, MB', [pruned.freedBytes / 1e6], [prunedWhole.freedBytes / 1e6])
    add('… a batch played meanwhile, ms', [pruned.batch], [prunedWhole.batch])
    add('… the longest of them, ms', [pruned.longestBatch], [prunedWhole.longestBatch])
    return { title: 'Partitions of attempts by month', figures, notes: notes(past, laws) }
  } finally {
    await months.close()
    await whole.close()
  }
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

function notes(past: Past, laws: { readonly added: number; readonly pruned: number }): string[] {
  const count = (value: number) => value.toLocaleString('en-GB')
  return [
    `**How.** ${count(past.attempts)} attempts of ${count(past.players)} players over ${past.months.length} months, filled in by SQL, in two
databases of one PostgreSQL: the table of today ("one table"), and one with the same columns that is partitioned by month of
\`created_at\`. There (player, round) is unique in a table of its own, because a unique key of a partitioned table has to hold
what it is partitioned by; a prize cannot refer to its attempt for the same reason, and keeps the winner itself. Batches of
150 by players from anywhere in the past are recorded by \`acts/record_attempts.sql\`, changed for the second only in where it
looks for a round and what it leaves; three runs of 200 in turn, then reads, the median of 200. The indexes were made after the
rows and are as small as they can be; those of a game that grew take about a fifth more.`,
    `**Pruned** is the oldest month, while batches are recorded: by detaching and dropping its partition, or by a delete and a
vacuum. Its sum stays as a row of \`attempts_sums\`. Both laws of the ledger were read before and after: with
${count(laws.added)} TAPS in attempts and ${count(laws.pruned)} in that row both sides are equal, each balance is the sum of the claimed prizes
and each hold of the held ones; without the row they would differ by it. The backups are COPY alone, neither compressed
nor written to the disk; that of one month reads one partition, or the whole table.`,
  ]
}
