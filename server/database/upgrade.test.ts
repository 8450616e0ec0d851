import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { judge, ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { openPlaces } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { migrate } from '../../tests/support/migrate.ts'
import { Random } from '../../tests/support/random.ts'
import { migrateTo110, statementOf110 } from '../../tests/support/release-1.1.0/database.ts'
import { SEED } from '../../tests/support/size.ts'
import { until } from '../../tests/support/until.ts'
import { StartError } from '../lib/errors.ts'
import { underMigrationLock, upgrade } from './migrate.ts'
import { prepareDatabase } from './prepare.ts'

const paths = openPlaces()
const TARGET_MS = 2_000
const DIFFERENCES = [0, 42, 100, -100, 101, -101, -700] as const

interface Played {
  readonly player: string
  readonly round: number
  readonly differenceMs: number
  readonly isVerified: boolean
}

interface CarriedRow {
  readonly player: string
  readonly round: number
  readonly best: number | null
  readonly streak: number | null
}

const win = (player: string, round: number): Played => {
  return { player, round, differenceMs: 40 + 10 * round, isVerified: true }
}

/** Records as a node of 1.1.0 does, with the statement that its connection has prepared. */
function record(client: pg.Client, batch: readonly Played[]) {
  const actualMs = batch.map(({ differenceMs }) => TARGET_MS + differenceMs)
  return client.query<{ place: number; id: number }>({
    name: 'record_attempts',
    text: statementOf110(),
    values: [
      batch.map(({ player }) => player),
      batch.map(({ round }) => round),
      batch.map(() => null),
      batch.map(() => 'Guest of 1.1.0'),
      batch.map(() => TARGET_MS),
      actualMs,
      // A start in the future makes an attempt unverified.
      batch.map(({ isVerified }) => Date.now() + (isVerified ? -60_000 : 3_600_000)),
      actualMs.map(ms => judge(TARGET_MS, ms).wins),
      ...[1, '15 minutes', 750, ROUND_LIFETIME_MS],
    ],
  })
}

/** Works out a player's record from all rounds. */
function recordOf(rounds: readonly Played[]) {
  const verified = rounds.filter(({ isVerified }) => isVerified)
  const distances = verified.map(({ differenceMs }) => Math.abs(differenceMs))
  const miss = distances.findLastIndex(ms => ms > 100)
  return {
    best: distances.length === 0 ? null : Math.min(...distances) / 1_000,
    streak: distances.length - 1 - miss,
  }
}

async function carried(client: pg.Client): Promise<CarriedRow[]> {
  return (await client.query<CarriedRow>('select player, round, best, streak from attempts order by id')).rows
}

async function gameOf110(act: (client: pg.Client, open: (other: Act) => Promise<void>) => Promise<void>) {
  const connection = await paths.emptyDatabase()
  await withClient(connection, async client => {
    await migrateTo110(client)
    await act(client, other => withClient(connection, other))
  })
}
type Act = (client: pg.Client) => Promise<void>

/** Waits until a connection of this database waits for a lock. */
async function isWaiting(client: pg.Client, statement: string): Promise<void> {
  await until('the call to wait for the lock', async () => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await client.query(
      `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
      [statement],
    )
    return rowCount === 1
  })
}

test("gives each player's newest attempt the record over all attempts, and leaves the others without one", async () => {
  const random = new Random(SEED)
  const players = Array.from({ length: 30 }, () => {
    const player = randomUUID()
    return Array.from({ length: random.whole(1, 12) }, (_, place): Played => {
      const isVerified = random.next() < 0.7
      return { player, round: place + 1, differenceMs: random.pick(DIFFERENCES), isVerified }
    })
  })
  await gameOf110(async client => {
    for (let place = 0; place < 12; place += 1) {
      await record(
        client,
        players.flatMap(rounds => rounds.slice(place, place + 1)),
      )
    }
    await migrate(client)
    const rows = await carried(client)
    for (const rounds of players) {
      const own = rows.filter(({ player }) => player === rounds[0]?.player)
      const newest = own.pop()
      expect(newest, `seed ${SEED}`).toMatchObject(recordOf(rounds))
      expect(own.every(({ best, streak }) => best === null && streak === null)).toBe(true)
    }
  })
})

describe('a statement that a node of 1.1.0 has prepared', () => {
  test('records while the upgrade reads the history, and the record has these attempts in it', async () => {
    const [known, newcomer] = [randomUUID(), randomUUID()]
    await gameOf110(async (client, open) => {
      await record(client, [win(known, 1)])
      await client.query('begin; select from prize_pool for update')
      const upgraded = open(other => migrate(other))
      // The upgrade has read the history, and waits for the pool row.
      await isWaiting(client, 'computed_records')
      await record(client, [win(known, 2), win(newcomer, 1)])
      await client.query('commit')
      await upgraded
      expect(await carried(client)).toEqual([
        { player: known, round: 1, best: null, streak: null },
        { player: known, round: 2, best: 0.05, streak: 2 },
        { player: newcomer, round: 1, best: 0.05, streak: 1 },
      ])
    })
  })

  test('records when it waited for the upgrade, and afterwards, and the record continues', async () => {
    const player = randomUUID()
    await gameOf110(async (client, open) => {
      const before = await record(client, [win(player, 1)])
      let waited: ReturnType<typeof record> | undefined
      await open(other =>
        underMigrationLock(other, async () => {
          await upgrade(other)
          waited = record(client, [win(player, 2)])
          await open(third => isWaiting(third, 'record_attempts'))
        }),
      )
      expect((await waited)?.rows).toMatchObject([{ place: 1, id: 2 }])
      const after = await record(client, [win(player, 3)])
      expect(after.fields.map(({ name }) => name)).toEqual(before.fields.map(({ name }) => name))
      expect((await carried(client)).at(-1)).toMatchObject({ round: 3, best: 0.05, streak: 3 })
    })
  })
})

test('ends with one line when a backup reads the game, changes nothing, and says so in the log', async () => {
  await gameOf110(async (client, open) => {
    await record(client, [win(randomUUID(), 1)])
    await open(async reader => {
      await reader.query('begin; select from attempts')
      const log = vi.fn<(fields: object, event: string) => void>()
      const start = () => open(other => prepareDatabase(other, TEST_SECRET, log))
      await expect(start()).rejects.toThrow(
        new StartError(
          'The game cannot be upgraded while a backup reads it: start again when the backup has ended',
        ),
      )
      expect(log.mock.lastCall?.[1]).toMatch(/^upgrading the game/)
      await record(client, [win(randomUUID(), 1)])
      await reader.query('commit')
      await start()
      expect(log.mock.lastCall?.[1]).toBe('game upgraded')
      log.mockClear()
      await start()
      expect(log).not.toHaveBeenCalled()
    })
    expect((await carried(client)).map(({ streak }) => streak)).toEqual([1, 1])
  })
})
