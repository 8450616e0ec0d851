import pg from 'pg'
import { InvalidSetting } from '../lib/invalid-setting.ts'

/** The accepted SSL modes; the driver cannot handle `prefer` and `allow`. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

const AN_ADDRESS = 'an address such as postgres://user:password@host:5432/database'
const ENCODED =
  'a password in which @ / ? # are written as %40 %2F %3F %23, because everything up to the last @ belongs to it'
const ONE_HOST =
  'one host: for several, name a proxy that finds the primary, such as HAProxy (deploy/ha/haproxy-database.cfg)'

/**
 * Checks the address of a database. Returns a form of the address that the driver accepts without a warning.
 */
export function databaseAddress(text: string): string | InvalidSetting {
  // Otherwise the rest of the password would be read as a host or database, and shown in messages.
  if (/^postgres(ql)?:\/\/[^/?#]*[/?#].*@/.test(text)) return unusable(ENCODED)
  const hosts = text.replace(/\/\/.*@/, '//')
  if (/^postgres(ql)?:\/\/([^/?]*,|.*[?&]host=[^&]*,)/.test(hosts)) return unusable(ONE_HOST)
  // Adds a host: `URL` requires one, but an address may name a socket folder in ?host= instead.
  const url = text.replace('@/', '@localhost/')
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) return unusable(AN_ADDRESS)
  const mode = parsed.searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return unusable(`an sslmode of ${SSL_MODES.join(', ')}, not ${JSON.stringify(mode)}`)
  }
  // Prevents the driver's warning that these modes mean verify-full.
  const address = text.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full')
  const flaw = flawOf(address)
  return flaw === null ? address : unusable(`${AN_ADDRESS} (${flaw})`)
}

/** Describes where a game is stored, without the password. */
export function describeAddress({
  databaseUrl,
  dataDir,
}: {
  readonly databaseUrl: string | null
  readonly dataDir: string
}): string {
  if (!databaseUrl) return dataDir
  const { user, host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return `postgres://${user}@${host}:${port}/${database}`
}

/** Returns the driver's objection to an address, or null. */
function flawOf(connectionString: string): string | null {
  try {
    new pg.Client({ connectionString })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function unusable(expected: string): InvalidSetting {
  return new InvalidSetting(expected, false)
}
