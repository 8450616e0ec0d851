import type { ClientBase } from 'pg'
import { fingerprintOf, isNoted } from '../../database/fingerprint.ts'
import { OLDEST_POSTGRES, requireRights } from '../../database/fitness.ts'
import { RELEASE, readSchema } from '../../database/migrate.ts'
import type { Env } from '../../env.ts'
import { checkLedger } from '../../game/ledger.ts'
import { secretInUse } from '../../secret.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** Of a fingerprint, enough to tell two secrets apart. */
const FINGERPRINT_CHARS = 16
/** A backup each night, and one that was missed. */
const BACKUP_MAX_HOURS = 48

/** A game and what it is served with. */
export interface Game {
  readonly env: Env
  readonly client: ClientBase
}

/** What can be seen in the game's database. */
export const GAME: readonly Check<Game>[] = [
  { name: 'database', look: database },
  { name: 'tables', look: tables },
  { name: 'role', look: role },
  { name: 'secret', look: secret },
  { name: 'ledger', look: ledger },
  { name: 'backup', look: backup },
]

interface Server {
  version: string
  commit: string
  writable: boolean
  way: string
  megabytes: number
}

async function database({ client }: Game): Promise<Finding> {
  const { rows } = await client.query<Server>(`
    select
      current_setting('server_version') as version, current_setting('synchronous_commit') as commit,
      not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable,
      case
        when inet_server_addr() is null then 'over a socket'
        when (select ssl from pg_stat_ssl where pid = pg_backend_pid()) then 'over TLS'
        else 'not encrypted'
      end as way,
      (pg_database_size(current_database()) / 2 ^ 20)::float8 as megabytes`)
  const [data] = rows
  if (!data) return fail('it says nothing of itself')
  const { version, commit, writable, way, megabytes } = data
  const words = `PostgreSQL ${version}, ${way}, ${megabytes.toFixed(0)} MiB`
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) return fail(`${words}: too old`, data)
  if (!writable) return fail(`${words}: read-only`, data)
  if (commit === 'off') return fail(`${words}: synchronous_commit is off, so answers may be lost`, data)
  return ok(words, data)
}

async function tables({ client }: Game): Promise<Finding> {
  const { applied, pending } = await readSchema(client)
  const { rows } = await client.query<{ count: number; release: number }>(
    'select count(*)::float8 as count, coalesce(max(release), 0)::float8 as release from acts',
  )
  const { count = 0, release = 0 } = rows[0] ?? {}
  const data = { release, acts: count, applied: applied.map(({ file }) => file), pending: pending.length }
  const words = `of release ${release}: ${applied.length} numbered files, ${count} acts`
  if (release > RELEASE) return fail(`${words}; this is release ${RELEASE}: use the newer one`, data)
  if (release === RELEASE && pending.length === 0) return ok(words, data)
  return warn(`${words}; the next start makes release ${RELEASE} of it`, data)
}

async function role({ client }: Game): Promise<Finding> {
  await requireRights(client)
  return ok('may do all that serving does')
}

/** Another one than the game's is a failure. */
async function secret({ client, env }: Game): Promise<Finding> {
  const secret = await secretInUse(env)
  const fingerprint = fingerprintOf(secret).toString('hex').slice(0, FINGERPRINT_CHARS)
  const words = `fingerprint ${fingerprint}`
  if (await isNoted(client, secret)) return ok(`${words}, the game's`, { fingerprint })
  return warn(`${words}; the game has none noted until the next start`, { fingerprint })
}

async function ledger({ client }: Game): Promise<Finding> {
  const { sound, data } = await checkLedger(client)
  if (sound) return ok(`both sides are equal: ${data.added} TAPS`, data)
  return fail('it does not hold: npm run ledger says where', data)
}

async function backup({ client }: Game): Promise<Finding> {
  const { rows } = await client.query<{ folder: string; at: Date; hours: number }>(
    `select detail as folder, created_at as at, (extract(epoch from now() - created_at) / 3600)::float8 as hours
    from operator_acts where act = 'backup' order by id desc limit 1`,
  )
  const [last] = rows
  if (!last) return warn('npm run backup has not made one yet', { at: null })
  const { folder, at, hours } = last
  const words = `the last one is of ${at.toISOString()}, in ${folder}`
  return hours > BACKUP_MAX_HOURS ? warn(words, last) : ok(words, last)
}
