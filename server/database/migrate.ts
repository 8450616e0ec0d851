import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ClientBase } from 'pg'
import { fillSkeletons } from '../identity/skeletons.ts'
import { ROOT } from '../lib/root.ts'
import { StartError } from '../lib/start-error.ts'

const MIGRATIONS = fileURLToPath(new URL('migrations', ROOT))

/** One node changes the schema at a time; the number is arbitrary but ours. */
export const MIGRATION_LOCK = 7_427_001

/** What has been done; the one table that no numbered file makes. */
export const MIGRATIONS_TABLE = `create table if not exists migrations (
  number  integer primary key,
  file    text not null,
  done_at timestamptz not null default now()
)`

const FILE = /^(\d{4})_[a-z_]+\.sql$/

interface Migration {
  readonly number: number
  readonly file: string
}

/**
 * Brings the database to the newest schema, each numbered file in a transaction of its own, and then fills in what
 * SQL alone cannot know.
 *
 * Safe when several nodes start at once: the first takes a lock and the others find nothing left to do.
 *
 * @param client one connection, not shared with anybody while this runs
 * @param folder where the numbered files are
 * @throws the database's error; the failed migration has left no trace then
 */
export async function migrate(client: ClientBase, folder = MIGRATIONS): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  try {
    const done = await readDone(client)
    for (const migration of await listMigrations(folder)) {
      if (!done.has(migration.number)) await apply(client, folder, migration)
    }
    if (await hasSkeletons(client)) await fillSkeletons(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  }
}

async function readDone(client: ClientBase): Promise<Set<number>> {
  await client.query(MIGRATIONS_TABLE)
  const { rows } = await client.query<{ number: number }>('select number from migrations')
  return new Set(rows.map(row => row.number))
}

/** False after the migrations of an earlier release alone. */
async function hasSkeletons(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('users_by_skeleton') is not null as there",
  )
  return rows[0]?.there === true
}

/** True when the database holds a game, played or not. */
export async function hasGame(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  )
  return rows[0]?.there === true
}

/**
 * The SQL that made the schema of this database, in order.
 *
 * @throws StartError when a newer release has migrated it
 */
export async function readSchema(client: ClientBase, folder = MIGRATIONS): Promise<string[]> {
  const { rows } = await client.query<{ number: number; file: string }>(
    'select number, file from migrations order by number',
  )
  const known = new Map((await listMigrations(folder)).map(({ number, file }) => [number, file]))
  return Promise.all(
    rows.map(({ number, file: done }) => {
      const file = known.get(number)
      if (file) return readFile(`${folder}/${file}`, 'utf8')
      throw new StartError(`${done} is unknown to this release: use the newer one that made this game`)
    }),
  )
}

async function listMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => FILE.test(file)).sort()
  return files.map(file => ({ number: Number.parseInt(file, 10), file }))
}

async function apply(client: ClientBase, folder: string, { number, file }: Migration): Promise<void> {
  const sql = await readFile(`${folder}/${file}`, 'utf8')
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (number, file) values ($1, $2)', [number, file])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${file} failed`, { cause: error })
  }
}
