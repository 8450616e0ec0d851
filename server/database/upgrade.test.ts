import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { migrate, migrateToRelease } from '../../tests/support/migrate.ts'
import { Random } from '../../tests/support/random.ts'
import { SEED } from '../../tests/support/size.ts'
import { StartError } from '../lib/errors.ts'
import { prepareDatabase } from './prepare.ts'

const paths = openPlaces()
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

/** Inserts attempts as a node of 1.1.0 does, which keeps no records. */
async function insert(client: pg.Client, batch: readonly Played[]): Promise<void> {
  for (const { player, round, differenceMs, isVerified } of batch) {
    await client.query(
      `insert into attempts (player, round, username, target_time, actual_time, difference, reason)
      values ($1, $2, 'Guest', 2, 2 + $3::numeric / 1000, $3::numeric / 1000, $4)`,
      [player, round, differenceMs, isVerified ? null : 'clock'],
    )
  }
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
    await migrateToRelease(client, '1.1.0')
    await act(client, other => withClient(connection, other))
  })
}
type Act = (client: pg.Client) => Promise<void>

/** Returns up to 12 rounds of each of 30 players. */
function randomRounds(): Played[][] {
  const random = new Random(SEED)
  return Array.from({ length: 30 }, () => {
    const player = randomUUID()
    return Array.from({ length: random.whole(1, 12) }, (_, place): Played => {
      const isVerified = random.next() < 0.7
      return { player, round: place + 1, differenceMs: random.pick(DIFFERENCES), isVerified }
    })
  })
}

/** Expects that each player's newest attempt has the record over all attempts, and the others none. */
async function expectRecords(client: pg.Client, players: readonly Played[][]): Promise<void> {
  const rows = await carried(client)
  for (const rounds of players) {
    const own = rows.filter(({ player }) => player === rounds[0]?.player)
    const newest = own.pop()
    expect(newest, `seed ${SEED}`).toMatchObject(recordOf(rounds))
    expect(own.every(({ best, streak }) => best === null && streak === null)).toBe(true)
  }
}

test("gives each player's newest attempt the record over all attempts, and leaves the others without one", async () => {
  const players = randomRounds()
  await gameOf110(async client => {
    await insert(client, players.flat())
    await migrate(client)
    await expectRecords(client, players)
  })
})

test('completes the newest attempts that nodes of 1.1.0 recorded during the upgrade to 1.2.0, and drops their function', async () => {
  const players = randomRounds()
  await withClient(await paths.emptyDatabase(), async client => {
    await migrate(client)
    await insert(client, players.flat())
    await client.query(`
      delete from migrations where file = '0012_no_older_nodes.sql';
      create function record_attempts(
        uuid[], integer[], bigint[], text[], integer[], integer[], bigint[], boolean[], integer, interval, float8, integer
      ) returns void language sql as ''`)
    await migrate(client)
    await expectRecords(client, players)
    expect((await client.query("select from pg_proc where proname = 'record_attempts'")).rowCount).toBe(0)
  })
})

test('ends with one line when a backup reads the game, changes nothing, and says so in the log', async () => {
  await gameOf110(async (client, open) => {
    await insert(client, [win(randomUUID(), 1)])
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
      await insert(client, [win(randomUUID(), 1)])
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
