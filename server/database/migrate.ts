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
export const RELEASE = 1

/** One node changes the schema at a time; the number is arbitrary but ours. */
const MIGRATION_LOCK = 7_427_001

/** Which numbered files have been applied, and what was in them; with `acts` the only table that none of them makes. */
export const MIGRATIONS_TABLE = `create table migrations (
  number  integer primary key,
  file    text not null,
  done_at timestamptz not null default now(),
  hash    text not null
)`

/** Which text of each act is there, and of which release of the game. */
const ACTS_TABLE = `create table acts (
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
  /** SHA-256, in hex. */
  readonly hash: string
}

/** A numbered file as this database knows it. */
interface AppliedFile {
  file: string
  hash: string
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
  migrations: fileURLToPath(new URL('sql/migrations', ROOT)),
  acts: fileURLToPath(new URL('sql/acts', ROOT)),
}

/**
 * Brings the database to this release: each new numbered file, then each act whose text has changed.
 *
 * In one transaction: nodes that are up never find a mixture of old and new acts. Safe when several nodes start at
 * once: the first takes a lock and the others find nothing left to do. Where nothing is left to do nothing is written,
 * so that a role which may only read these tables is enough.
 *
 * @param client one connection, used for nothing else while this runs
 * @throws StartError when the database is not of this game, of a newer release, or made with other files
 * @throws the database's error; in both cases nothing has changed
 */
export async function migrate(client: ClientBase, folders = FOLDERS, release = RELEASE): Promise<void> {
  await underMigrationLock(client, () => upgrade(client, folders, release))
}

/** What `migrate` does, in a transaction that its caller has. */
export async function upgrade(client: ClientBase, folders = FOLDERS, release = RELEASE): Promise<void> {
  if (!(await hasTable(client, 'migrations'))) await client.query(MIGRATIONS_TABLE)
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
  if (!(await hasTable(client, 'migrations'))) return false
  await readSchema(client, folders)
  return true
}

/** True when the database has a table of this name where ours are. */
export async function hasTable(client: ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    table,
  ])
  return rows[0]?.there === true
}

/**
 * Which numbered files made the tables of this database.
 *
 * @throws StartError when this release does not have one of them (it is a newer one's, or another program's), or has
 *   another text of it
 */
export async function readSchema(client: ClientBase, folders = FOLDERS): Promise<Schema> {
  const scripts = await readScripts(folders.migrations, MIGRATION)
  const files = new Map((await appliedFiles(client)).map(({ file, hash }) => [file, hash]))
  const unknown = [...files.keys()].find(file => !scripts.some(script => script.file === file))
  if (unknown) {
    throw new StartError(
      `This game was made with ${unknown}, which this release does not have: use the release that made it, or an empty database`,
    )
  }
  const applied = scripts.filter(({ file }) => files.has(file))
  const altered = applied.find(({ file, hash }) => files.get(file) !== hash)
  if (altered) {
    throw new StartError(
      `This game was made with another ${altered.file} than the one that is here: put the file back as it was released`,
    )
  }
  return { applied, pending: scripts.filter(({ file }) => !files.has(file)) }
}

async function appliedFiles(client: ClientBase): Promise<AppliedFile[]> {
  // By way of JSON: a table of this name that another program has made may have no such columns.
  const { rows } = await client.query<AppliedFile>(
    `select coalesce(applied ->> 'file', 'another table "migrations"') as file, applied ->> 'hash' as hash
    from migrations cross join to_jsonb(migrations) as applied order by 1`,
  )
  return rows
}

async function readScripts(folder: string, name: RegExp): Promise<Script[]> {
  const files = (await readdir(folder)).filter(file => name.test(file)).sort()
  return Promise.all(
    files.map(async file => {
      const sql = await readFile(`${folder}/${file}`, 'utf8')
      return { file, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function applyMigration(client: ClientBase, script: Script): Promise<void> {
  await run(client, script)
  await client.query('insert into migrations (number, file, hash) values ($1, $2, $3)', [
    Number.parseInt(script.file, 10),
    script.file,
    script.hash,
  ])
}

async function applyActs(client: ClientBase, acts: readonly Script[], release: number): Promise<void> {
  if (!(await hasTable(client, 'acts'))) await client.query(ACTS_TABLE)
  const { rows } = await client.query<AppliedAct>('select file, hash, release from acts')
  const newest = Math.max(0, ...rows.map(act => act.release))
  if (newest > release) {
    throw new StartError(`This game is of release ${newest} and this is ${release}: use the newer release`)
  }
  const there = new Map(rows.map(({ file, hash }) => [file, hash]))
  for (const act of acts) {
    if (there.get(act.file) === act.hash) continue
    await run(client, act)
    await client.query(
      `insert into acts (file, hash, release) values ($1, $2, $3)
      on conflict (file) do update set hash = excluded.hash, release = excluded.release`,
      [act.file, act.hash, release],
    )
  }
}

async function run(client: ClientBase, { file, sql }: Script): Promise<void> {
  await client.query(sql).catch(cause => {
    throw new Error(`${file} failed`, { cause })
  })
}
