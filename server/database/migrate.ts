import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ClientBase } from 'pg'
import { StartError } from '../lib/errors.ts'
import { ROOT, VERSION } from '../lib/project.ts'

/**
 * The release number. Raise the number whenever a function changes, so that an older node cannot restore its
 * own functions (checked by migrate.test.ts).
 */
export const RELEASE = 10

/** The advisory lock that lets one node at a time change the schema; an arbitrary number. */
const MIGRATION_LOCK = 7_427_001

/** The table of applied files. No numbered file creates this table. */
export const MIGRATIONS_TABLE = `create table migrations (
  file    text primary key,
  hash    text not null,
  release integer not null,
  done_at timestamptz not null default now()
)`

/**
 * The views, in the order in which a query joins them. Replacing a view locks out its readers until the commit, so
 * another order would deadlock with them.
 */
const VIEWS = ['prize_ends', 'account_players']

const NUMBERED = /^\d{4}_[a-z_]+\.sql$/
const FUNCTION = /^[a-z_]+\.sql$/

interface Script {
  readonly file: string
  readonly sql: string
}

interface NumberedScript extends Script {
  readonly hash: string
}

/** The numbered files of this release, in order, split by whether the database has applied them. */
interface Schema {
  readonly applied: readonly NumberedScript[]
  readonly pending: readonly NumberedScript[]
}

export interface Folders {
  readonly migrations: string
  readonly functions: string
}

const FOLDERS: Folders = {
  migrations: fileURLToPath(new URL('sql/migrations', ROOT)),
  functions: fileURLToPath(new URL('sql/functions', ROOT)),
}

/**
 * Upgrades the database to this release: applies each new numbered file, then changed views and all functions. Call under the
 * migration lock in one transaction, so that running nodes never see a mixture of functions.
 *
 * @throws {StartError} when the database belongs to another program or a newer release, or was made with
 *   other files
 * @throws the database's error
 */
export async function upgrade(client: ClientBase, folders = FOLDERS, release = RELEASE): Promise<void> {
  if (!(await hasTable(client))) await client.query(MIGRATIONS_TABLE)
  const { pending } = await readSchema(client, folders, release)
  for (const script of pending) {
    await apply(client, script)
    const row = [script.file, script.hash, release]
    await client.query('insert into migrations (file, hash, release) values ($1, $2, $3)', row)
  }
  for (const view of VIEWS) await applyView(client, view, await readScript(folders.functions, `${view}.sql`))
  const isView = ({ file }: Script) => VIEWS.includes(file.replace('.sql', ''))
  const scripts = await readScripts(folders.functions, FUNCTION)
  for (const script of scripts) if (!isView(script)) await apply(client, script)
  // Deletes the rows that earlier releases stored for functions.
  await client.query(`delete from migrations where file !~ '^[0-9]{4}_'`)
  await client.query('update migrations set release = $1 where release <> $1', [release])
}

async function apply(client: ClientBase, { file, sql }: Script): Promise<void> {
  await client.query(sql).catch(cause => {
    throw new Error(`${file} failed`, { cause })
  })
}

/** Applies a view whose text is not that of the last start, so that most starts lock out no reader. */
async function applyView(client: ClientBase, view: string, script: Script): Promise<void> {
  const { hash } = withHash(script)
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regclass($1), 'pg_class') as comment`,
    [view],
  )
  if (rows[0]?.comment === hash) return
  await apply(client, script)
  await client.query(`comment on view ${view} is '${hash}'`)
}

/** Changes the schema in one transaction, one node at a time. */
export async function underMigrationLock(client: ClientBase, change: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await change()
    await client.query('commit')
  } catch (error) {
    // Throws the first error, even if the rollback fails too.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Returns whether the database contains a game. Throws the errors of `readSchema`. */
export async function hasGame(client: ClientBase): Promise<boolean> {
  if (!(await hasTable(client))) return false
  await readSchema(client)
  return true
}

/** Returns the numbered files that an upgrade will apply to an existing game. Throws the errors of `readSchema`. */
export async function pendingFiles(client: ClientBase): Promise<string[]> {
  if (!(await hasTable(client))) return []
  const { pending } = await readSchema(client)
  return pending.map(({ file }) => file)
}

async function hasTable(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  return rows[0]?.there === true
}

/**
 * Compares a database with the files of this release.
 *
 * @throws {StartError} when the database belongs to another program or a newer release, or was made with
 * other files
 */
export async function readSchema(client: ClientBase, folders = FOLDERS, release = RELEASE): Promise<Schema> {
  const there = await appliedFiles(client)
  const newest = Math.max(0, ...there.map(file => file.release))
  if (newest > release) {
    throw new StartError(
      `This game is at release ${newest}, but TAPS ${VERSION} is at release ${release}: use the newer program`,
    )
  }
  const scripts = (await readScripts(folders.migrations, NUMBERED)).map(withHash)
  const hashes = new Map(scripts.map(({ file, hash }) => [file, hash]))
  const strange = there.find(({ file, hash }) => !FUNCTION.test(file) && hashes.get(file) !== hash)
  if (strange) {
    throw new StartError(
      `This game was created with another ${strange.file} than TAPS ${VERSION} has: ` +
        'use the program that created the game, or an empty database',
    )
  }
  const known = new Set(there.map(({ file }) => file))
  return {
    applied: scripts.filter(({ file }) => known.has(file)),
    pending: scripts.filter(({ file }) => !known.has(file)),
  }
}

/** Reads the rows as JSON, because another program's table of this name may lack the columns. */
async function appliedFiles(client: ClientBase): Promise<{ file: string; hash: string; release: number }[]> {
  const { rows } = await client.query<{ file: string; hash: string; release: number }>(
    `select coalesce(it ->> 'file', 'table "migrations"') as file, it ->> 'hash' as hash,
      coalesce((it ->> 'release')::integer, 0) as release
    from migrations cross join to_jsonb(migrations) as it order by 1`,
  )
  return rows
}

async function readScripts(folder: string, name: RegExp): Promise<Script[]> {
  const files = (await readdir(folder)).filter(file => name.test(file)).sort()
  return Promise.all(files.map(file => readScript(folder, file)))
}

async function readScript(folder: string, file: string): Promise<Script> {
  return { file, sql: await readFile(`${folder}/${file}`, 'utf8') }
}

function withHash({ file, sql }: Script): NumberedScript {
  return { file, sql, hash: createHash('sha256').update(sql).digest('hex') }
}
