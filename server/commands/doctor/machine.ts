import { statfs } from 'node:fs/promises'
import pg from 'pg'
import type { Env } from '../../env.ts'
import { errorCode } from '../../lib/files.ts'
import { VERSION } from '../../lib/version.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** Below this PostgreSQL soon stops: it makes its write-ahead log in files of 16 MB, several at a time. */
const LITTLE_BYTES = 256 * 2 ** 20
/** Below this an operator should make room. */
const SCARCE_BYTES = 2 * 2 ** 30

/** What can be seen without a database. */
export const MACHINE: readonly Check<Env>[] = [
  { name: 'version', look: version },
  { name: 'settings', look: settings },
  { name: 'disk', look: disk },
]

function version(): Finding {
  const { node } = process.versions
  return ok(`TAPS ${VERSION}, Node ${node}, ${process.platform} ${process.arch}`, { taps: VERSION, node })
}

/** Of what is secret only that it is set. */
function settings(env: Env): Finding {
  const data = {
    PORT: env.port,
    HOST: env.host,
    DATABASE_URL: env.databaseUrl && addressOf(env.databaseUrl),
    DATA_DIR: env.dataDir,
    SECRET: env.secret ? 'set' : 'kept in DATA_DIR',
    PUBLIC_URL: env.publicUrl,
    TRUST_PROXY: env.trustProxy ? env.trustProxy.join(',') : null,
    PRIZE_HOLD_MINUTES: env.prizeHoldMinutes,
    CLOCK_TOLERANCE_MS: env.clockToleranceMs,
    LOG_LEVEL: env.logLevel,
    METRICS: typeof env.metrics === 'string' ? env.metrics : 'a token',
    RATE_LIMITS: env.rateLimits ? 'on' : 'off',
  }
  const words = Object.entries(data).map(([name, value]) => `${name}=${value ?? ''}`)
  return env.rateLimits
    ? ok(words.join(' '), data)
    : warn(`anybody can flood this server: ${words.join(' ')}`, data)
}

/** Put together from what it says, so that nothing else of it, such as a password, comes through. */
function addressOf(connectionString: string): string {
  const { user, host, port, database } = new pg.Client({ connectionString })
  return `postgres://${user}@${host}:${port}/${database}`
}

async function disk({ databaseUrl, dataDir }: Env): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    const data = { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    const words = `${gigabytes(data.freeBytes)} of ${gigabytes(data.totalBytes)} free at ${dataDir}`
    if (data.freeBytes < LITTLE_BYTES) return fail(`${words}: make room`, data)
    return data.freeBytes < SCARCE_BYTES ? warn(words, data) : ok(words, data)
  } catch (error) {
    if (databaseUrl && errorCode(error) === 'ENOENT') return ok(`${dataDir} is not there, nor needed`)
    return fail(`${dataDir} cannot be looked at (${errorCode(error)})`)
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
