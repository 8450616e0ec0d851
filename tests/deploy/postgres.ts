import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from '../../server/database/embedded/programs.ts'
import type { Connection } from '../../server/database/pool.ts'

/** The major version that the game needs at least. */
const OLDEST = 15
/** Where Debian keeps every PostgreSQL, by its major version. */
const DEBIAN = '/usr/lib/postgresql'

/** A PostgreSQL beside the embedded one. */
export interface OtherPostgres {
  readonly name: string
  readonly binaries: Binaries
}

/** Every PostgreSQL that Debian has installed here and that is not too old. */
export async function debianPostgres(): Promise<OtherPostgres[]> {
  const majors = (await readdir(DEBIAN).catch(() => [])).filter(major => Number(major) >= OLDEST).sort()
  return majors
    .map(major => ({ major, bin: join(DEBIAN, major, 'bin') }))
    .filter(({ bin }) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
    .map(({ major, bin }) => ({
      name: `Debian's ${major}`,
      binaries: { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major },
    }))
}

/** A connection as `DATABASE_URL` says it. */
export function urlOf({ user, password, host, database }: Connection, more = ''): string {
  return `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(`${host}`)}${more}`
}
