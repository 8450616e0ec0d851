import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ClientBase } from 'pg'
import { ROOT } from '../lib/root.ts'
import { StartError } from '../lib/start-error.ts'

/**
 * Raised by one whenever an act changes: a node of an older release never puts its acts back over newer ones. The test
 * of the schema says when that was forgotten.
 */
export const RELEASE = 3

/** One node changes the schema at a time; the number is arbitrary but ours. */
const MIGRATION_LOCK = 7_427_001

/** Which numbered files have been applied; with `acts` the only table that none of them makes. */
export const MIGRATIONS_TABLE = `create table if not exists migrations (
  number  integer primary key,
  file    text not null,
  done_at timestamptz not null default now()
)`

/** Which text of each act is there, and of which release of the game. */
const ACTS_TABLE = `create table if not exists acts (
  file    text primary key,
  hash    text not null,
  release integer not null
)`

const MIGRATION = /^\d{4}_[a-z_]+\.sql$/
const ACT = /^[a-z_]+\.sql$/

/** A file of SQL. */
interface Script {
  readonly file: string
  readonly sql: string
}

/** The numbered files of this release, in order. */
interface Schema {
  readonly applied: readonly Script[]
  readonly pending: readonly Script[]
}

/** An act as this database has it. */
interface AppliedAct {
  file: string
  hash: string
  release: number
}

/** Where the SQL is. */
export interface Folders {
  readonly migrations: string
  readonly acts: string
}

const FOLDERS: Folders = {
  migrations: fileURLToPath(new URL('migrations', ROOT)),
  acts: fileURLToPath(new URL('acts', ROOT)),
}

/**
 * Brings the database to this release: each new numbered file, then each act whose text has changed.
 *
 * In one transaction: nodes that are up never find a mixture of old and new acts. Safe when several nodes start at
 * once: the first takes a lock and the others find nothing left to do.
 *
 * @param client one connection, used for nothing else while this runs
 * @throws StartError when the database is not of this game or of a newer release
 * @throws the database's error; in both cases nothing has changed
 */
export async function migrate(client: ClientBase, folders = FOLDERS, release = RELEASE): Promise<void> {
  await underMigrationLock(client, () => upgrade(client, folders, release))
}

/** What `migrate` does, in a transaction that its caller has. */
export async function upgrade(client: ClientBase, folders = FOLDERS, release = RELEASE): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  const { pending } = await readSchema(client, folders)
  for (const script of pending) await applyMigration(client, script)
  await applyActs(client, await readScripts(folders.acts, ACT), release)
}

/** Changes the schema in one transaction, whole or not at all, while no other node does. */
export async function underMigrationLock(client: ClientBase, change: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await change()
    await client.query('commit')
  } catch (error) {
    // What failed first is what counts, also when it took the connection along.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * True when the database holds a game, played or not.
 *
 * @throws StartError as `readSchema` does
 */
export async function hasGame(client: ClientBase, folders = FOLDERS): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  if (!rows[0]?.there) return false
  await readSchema(client, folders)
  return true
}

/**
 * Which numbered files made the tables of this database.
 *
 * @throws StartError when this release does not have one of them: it is a newer one's, or another program's
 */
export async function readSchema(client: ClientBase, folders = FOLDERS): Promise<Schema> {
  const scripts = await readScripts(folders.migrations, MIGRATION)
  const files = await appliedMigrations(client)
  const unknown = files.find(file => !scripts.some(script => script.file === file))
  if (unknown) {
    throw new StartError(
      `This game was made with ${unknown}, which this release does not have: use the release that made it, or an empty database`,
    )
  }
  return {
    applied: scripts.filter(({ file }) => files.includes(file)),
    pending: scripts.filter(({ file }) => !files.includes(file)),
  }
}

async function appliedMigrations(client: ClientBase): Promise<string[]> {
  // By way of JSON: a table of this name that another program has made may have no such column.
  const { rows } = await client.query<{ file: string }>(
    `select coalesce(to_jsonb(migrations) ->> 'file', 'another table "migrations"') as file from migrations order by 1`,
  )
  return rows.map(({ file }) => file)
}

async function readScripts(folder: string, name: RegExp): Promise<Script[]> {
  const files = (await readdir(folder)).filter(file => name.test(file)).sort()
  return Promise.all(files.map(async file => ({ file, sql: await readFile(`${folder}/${file}`, 'utf8') })))
}

async function applyMigration(client: ClientBase, script: Script): Promise<void> {
  await run(client, script)
  await client.query('insert into migrations (number, file) values ($1, $2)', [
    Number.parseInt(script.file, 10),
    script.file,
  ])
}

async function applyActs(client: ClientBase, acts: readonly Script[], release: number): Promise<void> {
  await client.query(ACTS_TABLE)
  const { rows } = await client.query<AppliedAct>('select file, hash, release from acts')
  const newest = Math.max(0, ...rows.map(act => act.release))
  if (newest > release) {
    throw new StartError(`This game is of release ${newest} and this is ${release}: use the newer release`)
  }
  const there = new Map(rows.map(({ file, hash }) => [file, hash]))
  for (const act of acts) {
    const hash = createHash('sha256').update(act.sql).digest('hex')
    if (there.get(act.file) === hash) continue
    await run(client, act)
    await client.query(
      `insert into acts (file, hash, release) values ($1, $2, $3)
      on conflict (file) do update set hash = excluded.hash, release = excluded.release`,
      [act.file, hash, release],
    )
  }
}

async function run(client: ClientBase, { file, sql }: Script): Promise<void> {
  await client.query(sql).catch(cause => {
    throw new Error(`${file} failed`, { cause })
  })
}
