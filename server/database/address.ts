import pg from 'pg'
import { Expected } from '../lib/expected.ts'
import type { Connection } from './pool.ts'

/** Those that the driver can hold to; `prefer` and `allow` would have to fall back to a connection without TLS. */
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

const AN_ADDRESS = 'an address such as postgres://user:password@host:5432/database'
const ONE_HOST =
  'one host: in front of several put what finds the one that takes writes, such as HAProxy (docs/operating.md)'

/** What stands for the address of a database, in a form that the driver takes without a warning. Never shows a password. */
export function databaseAddress(text: string): string | Expected {
  const hosts = text.replace(/\/\/.*@/, '//')
  if (/^postgres(ql)?:\/\/([^/?]*,|.*[?&]host=[^&]*,)/.test(hosts)) return unusable(ONE_HOST)
  // With the folder of a socket in ?host= an address needs no other host, but the URL standard wants one.
  const url = text.replace('@/', '@localhost/')
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) return unusable(AN_ADDRESS)
  const mode = parsed.searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return unusable(`an sslmode of ${SSL_MODES.join(', ')}, which is ${JSON.stringify(mode)}`)
  }
  // To the driver they mean the same, and it warns in eight lines that this may change.
  const address = text.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full')
  const flaw = flawOf(address)
  return flaw === null ? address : unusable(`${AN_ADDRESS} (${flaw})`)
}

/** The same server and role, another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  const { connectionString } = connection
  if (!connectionString) return { ...connection, database }
  // Not by way of URL, which knows neither several hosts nor none.
  return {
    ...connection,
    connectionString: connectionString.replace(/^(\w+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${database}`),
  }
}

/** Where a game is, put together from what the address says, so that nothing else of it, such as a password, comes through. */
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

/** What the driver finds wrong, such as a file of certificates that is not there. */
function flawOf(connectionString: string): string | null {
  try {
    new pg.Client({ connectionString })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function unusable(words: string): Expected {
  return new Expected(words, false)
}
