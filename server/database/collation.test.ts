import type { ClientBase } from 'pg'
import { describe, expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { damageIndex, insertUsers, NAMES } from '../../tests/support/damaged-index.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { migrateToRelease } from '../../tests/support/migrate.ts'
import { until } from '../../tests/support/until.ts'
import { findLostAccounts } from '../commands/lost-accounts.ts'
import { StartError } from '../lib/errors.ts'
import { openBackup, writeBackup } from './backup.ts'
import { prepareDatabase } from './prepare.ts'
import { restore } from './restore.ts'

const paths = openPlaces()

/** Runs `act` in a game of 1.2.0 whose index on names is damaged. */
async function inDamagedGame(act: (client: ClientBase, start: () => Promise<void>) => Promise<void>) {
  const connection = await paths.emptyDatabase()
  await withClient(connection, async client => {
    await migrateToRelease(client, '1.2.0')
    await insertUsers(client, NAMES)
    await damageIndex(connection)
    await act(client, () =>
      withClient(connection, other => prepareDatabase(other, TEST_SECRET, () => undefined)),
    )
  })
}

/** Lets a second user sign up with a name that the index does not find. Returns the name and both IDs. */
async function addTwin(client: ClientBase) {
  const [lost] = await findLostAccounts(client)
  if (!lost) throw new Error('The index finds every account')
  const [twin] = await insertUsers(client, [lost.username])
  await client.query('update users set username = upper(username) where id = $1', [twin])
  return { name: lost.username, id: lost.id, twin }
}

async function pendingColumns(client: ClientBase) {
  const { rows } = await client.query<{ column: string }>(
    `select attrelid::regclass || '.' || attname as column from pg_attribute
    where attrelid in ('users'::regclass, 'migrations'::regclass) and attcollation = 'pg_catalog."C"'::regcollation`,
  )
  return rows.map(({ column }) => column).sort()
}

test('every text that is a key of an index has the collation "C"', async () => {
  const connection = await paths.emptyDatabase()
  await withClient(connection, async client => {
    await prepareDatabase(client, TEST_SECRET, () => undefined)
    const { rows } = await client.query(
      `select indexrelid::regclass as index, indcollation from pg_index
      where indrelid::regclass::text !~ '^pg_' and indcollation::text ~ '[1-9]'
        and exists (select from unnest(indcollation) as of_key where of_key not in (0, 'pg_catalog."C"'::regcollation))`,
    )
    expect(rows).toEqual([])
    expect(await pendingColumns(client)).toEqual(['migrations.file', 'users.username_key'])
  })
})

describe('an upgrade of a game whose index on names is damaged', () => {
  test('finds every user again, and refuses each name to a second one', async () => {
    await inDamagedGame(async (client, start) => {
      expect((await findLostAccounts(client)).length).toBeGreaterThan(NAMES.length / 10)
      await start()
      expect(await findLostAccounts(client)).toEqual([])
      for (const name of NAMES) {
        await expect(insertUsers(client, [name]), name).rejects.toThrow('duplicate key')
      }
    })
  })

  test('changes nothing while two users have one name, and names them with the command that helps', async () => {
    await inDamagedGame(async (client, start) => {
      const { name, id, twin } = await addTwin(client)
      // Makes the order of the damaged index the cheapest way to group the users, as in a large game.
      for (const setting of ['enable_seqscan', 'enable_sort', 'enable_hashagg']) {
        await client.query(
          `do $$ begin execute format('alter database %I set ${setting} = off', current_database()); end $$`,
        )
      }
      await expect(start()).rejects.toThrow(
        new StartError(
          `These users have the same name: "${name}" (id:${id}, id:${twin}). ` +
            `Nothing is upgraded until they differ: ./taps users rename id:${twin} <new-name>`,
        ),
      )
      expect(await pendingColumns(client)).toEqual([])
      await client.query(`select rename_account($1, 'Other', 'other')`, [twin])
      await start()
      expect(await findLostAccounts(client)).toEqual([])
    })
  })

  test('ends with one line while a backup has read any of the tables', async () => {
    await inDamagedGame(async (client, start) => {
      for (const table of ['migrations', 'game_secret']) {
        await client.query(`begin; select from ${table}`)
        await expect(start(), table).rejects.toThrow(/^The game cannot be upgraded while a backup reads it/)
        await client.query('rollback')
      }
      await start()
    })
  })
})

test('an upgrade tries again after a reader kept a table from it', async () => {
  await inDamagedGame(async (client, start) => {
    await client.query('begin; select from sessions')
    const started = start()
    const waitingSince = async () => {
      const { rows } = await client.query<{ since: Date }>(
        `select waitstart as since from pg_locks where not granted and relation = 'sessions'::regclass
          and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows[0]?.since?.getTime()
    }
    const first = await until('the first try to wait', waitingSince)
    await until('another try', async () => ![undefined, first].includes(await waitingSince()))
    await client.query('commit')
    await started
    expect(await findLostAccounts(client)).toEqual([])
  })
})

test('a restore names the user whom a damaged index let sign up twice, and changes nothing', async () => {
  await inDamagedGame(async client => {
    const { name } = await addTwin(client)
    const folder = paths.newFolder()
    await writeBackup(client, folder, TEST_SECRET)
    const empty = await paths.emptyDatabase()
    const restored = withClient(empty, async other =>
      restore(other, await openBackup(folder), async () => undefined),
    )
    await expect(restored).rejects.toThrow(
      new StartError(
        `The backup has two users of the same name, "${name}": rename one of them in the game that it was made of ` +
          '(./taps doctor names them), and make another backup',
      ),
    )
    const { rows } = await withClient(empty, other =>
      other.query('select from pg_tables where tablename = $1', ['users']),
    )
    expect(rows).toEqual([])
  })
})
