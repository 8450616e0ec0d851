import { existsSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { openBackup } from '../database/backup.ts'
import { connectionOf } from '../database/connection.ts'
import { gameId, matchesFingerprint } from '../database/fingerprint.ts'
import { requireOwnSession, requireRights, requireSupportedPostgres } from '../database/prepare.ts'
import { requireFreePort, urlOf } from '../http/listen.ts'
import { VERSION } from '../lib/project.ts'
import { readWordFile, refusedWords } from '../people/names.ts'
import { createRefusedNameCheck } from '../people/refused-words.ts'
import { loadSecret } from '../secret.ts'
import type { Env } from '../settings.mjs'
import { formatError } from './command.ts'
import { checkLedger } from './ledger.ts'
import { findLostAccounts } from './lost-accounts.ts'

/** The least free space that passes the check; PostgreSQL writes several log files of 16 MB at a time. */
const LITTLE_BYTES = 256 * 2 ** 20
const SCARCE_BYTES = 2 * 2 ** 30
/** The age of a backup at which the check warns; allows for one missed nightly backup. */
const BACKUP_MAX_HOURS = 48
const TIMEOUT_MS = 5_000

/** The result of one check: only `FAIL` makes `./taps doctor` fail. */
export interface CheckResult {
  readonly status: 'ok' | 'WARN' | 'FAIL'
  readonly message: string
}

function ok(message: string): CheckResult {
  return { status: 'ok', message }
}

function warn(message: string): CheckResult {
  return { status: 'WARN', message }
}

function fail(message: string): CheckResult {
  return { status: 'FAIL', message }
}

export function failure(error: unknown): CheckResult {
  return fail(formatError(error))
}

export async function disk({ databaseUrl, dataDir }: Env): Promise<CheckResult> {
  const space = await statfs(dataDir).catch(() => null)
  if (!space)
    return databaseUrl
      ? ok(`${dataDir} does not exist and is not needed`)
      : fail(`${dataDir} does not exist; correct DATA_DIR`)
  const isWritable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return fail(`${dataDir} cannot be written; give it to the user who runs the game`)
  const free = space.bavail * space.bsize
  const message = `${(free / 2 ** 30).toFixed(1)} GiB free at ${dataDir}`
  if (free < LITTLE_BYTES) return fail(`${message}: make room`)
  return free < SCARCE_BYTES ? warn(`${message}: make room soon`) : ok(message)
}

export async function words({ dataDir }: Env): Promise<CheckResult> {
  const refused = refusedWords(await readWordFile(dataDir))
  createRefusedNameCheck(refused)
  return ok(`${refused.length} words are refused in names`)
}

export async function database(client: ClientBase, env: Env): Promise<CheckResult> {
  await requireSupportedPostgres(client)
  if (env.databaseUrl) await requireOwnSession(connectionOf(env.databaseUrl))
  await requireRights(client)
  const { rows } = await client.query<{ version: string; commit: string; megabytes: string }>(`
    select current_setting('server_version') as version, current_setting('synchronous_commit') as commit,
      (pg_database_size(current_database()) / 1048576)::text as megabytes`)
  const { version = '', commit = '', megabytes = '' } = rows[0] ?? {}
  const message = `PostgreSQL ${version}, ${megabytes} MiB`
  return commit === 'off'
    ? fail(`${message}: synchronous_commit is off, so recorded attempts may be lost; set it to on`)
    : ok(message)
}

export async function secret(client: ClientBase, env: Env): Promise<CheckResult> {
  const used = await loadSecret(env)
  const message = `fingerprint ${gameId(used)}`
  return (await matchesFingerprint(client, used))
    ? ok(`${message}, as stored in the game`)
    : warn(`${message}: the next start stores it in the game`)
}

export async function accounts(client: ClientBase): Promise<CheckResult> {
  const lost = await findLostAccounts(client)
  const [first] = lost
  if (!first) return ok('every account is found by its name')
  const found = `Accounts that their names do not find: ${lost.length}, such as ${JSON.stringify(first.username)} (id:${first.id})`
  const twin = lost.find(({ isTwin }) => isTwin)
  return twin
    ? fail(`${found}. Two have the same name: run ./taps users rename id:${twin.id} <new-name>`)
    : fail(`${found}. The index is damaged: run reindex table users in psql`)
}

export async function ledger(client: ClientBase): Promise<CheckResult> {
  const check = await checkLedger(client)
  if (!check.ok) return fail('out of balance; run ./taps ledger for details')
  return ok(`balanced. ${check.lines[0]}`)
}

export async function backup(client: ClientBase): Promise<CheckResult> {
  const { rows } = await client.query<{ folder: string; at: Date; hours: number }>(
    `select detail as folder, created_at as at, (extract(epoch from now() - created_at) / 3600)::float8 as hours
    from operator_acts where act = 'backup' order by id desc limit 1`,
  )
  const [last] = rows
  if (!last) return warn('no backup has been made with ./taps backup yet')
  const message = `the last backup was made at ${last.at.toISOString()}, in ${last.folder}`
  if (!existsSync(last.folder)) return warn(`${message}, which is not on this machine; run ./taps backup`)
  const flaw = await openBackup(last.folder).then(() => null, formatError)
  if (flaw !== null) return warn(`${message}, but: ${flaw}`)
  return last.hours > BACKUP_MAX_HOURS ? warn(`${message}; run ./taps backup`) : ok(message)
}

/** Checks the server that runs here with these settings. */
export async function checkServer(env: Env): Promise<CheckResult> {
  const place = urlOf(env.host, env.port)
  const health = await ask(`${place}/healthz`)
  if (!health) return checkPort(env, `no server answers at ${place}`)
  const { version } = health
  if (!version) return fail(`the server at ${place} is not TAPS; set PORT to a free one`)
  const message = `${version} at ${place}`
  const { status, title = 'no answer' } = (await ask(`${place}/readyz`)) ?? {}
  if (status !== 'ok') return fail(`${message} is not ready: ${title}`)
  return version === VERSION ? ok(`${message} is ready`) : warn(`${message} runs another version; restart it`)
}

/** Checks whether a start could open the port. */
async function checkPort(env: Env, message: string): Promise<CheckResult> {
  const flaw = await requireFreePort(env).then(() => null, formatError)
  return flaw === null ? warn(message) : fail(`${message}, and none can start: ${flaw}`)
}

interface Answer {
  readonly status?: unknown
  readonly version?: string
  readonly title?: string
}

/** Asks the server; empty when another program answers, and undefined without an answer. */
async function ask(url: string): Promise<Answer | undefined> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  return (await answer?.json().catch(() => ({}))) as Answer | undefined
}
