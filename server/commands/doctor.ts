import { statfs } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { gameId, matchesFingerprint } from '../database/fingerprint.ts'
import { requireSupportedPostgres } from '../database/prepare.ts'
import { urlOf } from '../http/listen.ts'
import { VERSION } from '../lib/project.ts'
import { loadSecret } from '../secret.ts'
import type { Env } from '../settings.mjs'
import { type Call, type Command, formatError, type Outcome } from './command.ts'
import { checkLedger } from './ledger.ts'
import { withGame } from './with-database.ts'

export const DOCTOR: Command = {
  form: 'doctor',
  help: 'Checks disk, database, secret, ledger, backups and the server; the exit code is 1 when a check fails.',
  run: examine,
}

/** The least free space that passes the check; PostgreSQL writes several log files of 16 MB at a time. */
const LITTLE_BYTES = 256 * 2 ** 20
const SCARCE_BYTES = 2 * 2 ** 30
/** The age of a backup at which the check warns; allows for one missed nightly backup. */
const BACKUP_MAX_HOURS = 48
const TIMEOUT_MS = 5_000
const CHECKS = { database, secret, ledger, backup } as const

/** The result of one check: only `FAIL` makes `./taps doctor` fail. */
interface CheckResult {
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

type Named = CheckResult & { readonly check: string }

async function examine(call: Call): Promise<Outcome> {
  const { env } = call
  const results: Named[] = [{ check: 'disk', ...(await disk(env)) }]
  const inGame = async (client: ClientBase) => {
    for (const [check, look] of Object.entries(CHECKS)) {
      results.push({ check, ...(await look(client, env).catch(failure)) })
    }
  }
  await withGame(call, inGame).catch(error => results.push({ check: 'database', ...failure(error) }))
  results.push({ check: 'server', ...(await checkServer(env)) })
  const failed = results.filter(({ status }) => status === 'FAIL').length
  const end = `TAPS ${VERSION}, Node ${process.versions.node}: ${failed} of ${results.length} checks failed.`
  const lines = results.map(
    ({ check, status, message }) => `${status.padEnd(6)}${check.padEnd(10)}${message}`,
  )
  return { ok: failed === 0, lines: [...lines, end] }
}

function failure(error: unknown): CheckResult {
  return fail(formatError(error))
}

async function disk({ databaseUrl, dataDir }: Env): Promise<CheckResult> {
  const space = await statfs(dataDir).catch(() => null)
  if (!space)
    return databaseUrl
      ? ok(`${dataDir} does not exist and is not needed`)
      : fail(`${dataDir} does not exist; correct DATA_DIR`)
  const free = space.bavail * space.bsize
  const message = `${(free / 2 ** 30).toFixed(1)} GiB free at ${dataDir}`
  if (free < LITTLE_BYTES) return fail(`${message}: make room`)
  return free < SCARCE_BYTES ? warn(`${message}: make room soon`) : ok(message)
}

async function database(client: ClientBase): Promise<CheckResult> {
  await requireSupportedPostgres(client)
  const { rows } = await client.query<{ version: string; commit: string; megabytes: string }>(`
    select current_setting('server_version') as version, current_setting('synchronous_commit') as commit,
      (pg_database_size(current_database()) / 1048576)::text as megabytes`)
  const { version = '', commit = '', megabytes = '' } = rows[0] ?? {}
  const message = `PostgreSQL ${version}, ${megabytes} MiB`
  return commit === 'off'
    ? fail(`${message}: synchronous_commit is off, so recorded attempts may be lost; set it to on`)
    : ok(message)
}

async function secret(client: ClientBase, env: Env): Promise<CheckResult> {
  const used = await loadSecret(env)
  const message = `fingerprint ${gameId(used)}`
  return (await matchesFingerprint(client, used))
    ? ok(`${message}, as stored in the game`)
    : warn(`${message}: the next start stores it in the game`)
}

async function ledger(client: ClientBase): Promise<CheckResult> {
  const check = await checkLedger(client)
  if (!check.ok) return fail('out of balance; run ./taps ledger for details')
  return ok(`balanced. ${check.lines[0]}`)
}

async function backup(client: ClientBase): Promise<CheckResult> {
  const { rows } = await client.query<{ folder: string; at: Date; hours: number }>(
    `select detail as folder, created_at as at, (extract(epoch from now() - created_at) / 3600)::float8 as hours
    from operator_acts where act = 'backup' order by id desc limit 1`,
  )
  const [last] = rows
  if (!last) return warn('no backup has been made with ./taps backup yet')
  const message = `the last backup was made at ${last.at.toISOString()}, in ${last.folder}`
  return last.hours > BACKUP_MAX_HOURS ? warn(`${message}; run ./taps backup`) : ok(message)
}

/** Checks the server that runs here with these settings. */
async function checkServer({ host, port }: Env): Promise<CheckResult> {
  const place = urlOf(host, port)
  const health = await ask(`${place}/healthz`)
  if (!health) return warn(`no server answers at ${place}`)
  const { version } = health
  if (!version) return warn(`the server at ${place} is not TAPS`)
  const message = `${version} at ${place}`
  const { status, title = 'no answer' } = (await ask(`${place}/readyz`)) ?? {}
  if (status !== 'ok') return fail(`${message} is not ready: ${title}`)
  return version === VERSION ? ok(`${message} is ready`) : warn(`${message} runs another version; restart it`)
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
