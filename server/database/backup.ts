import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { errorCode, exists, makeFolder, syncFolder } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { dump } from './dump.ts'

const DUMP = 'taps.sql.gz'
const SECRET = 'secret'
/** In the form that `sha256sum -c` reads. */
const SUMS = 'SHA256SUMS'

/** A backup that was found whole. */
export interface Backup {
  /** All keys of the game derive from it. */
  readonly secret: string
  /** Hands out the script of `dump`, from its beginning. */
  read(load: (script: AsyncIterable<Buffer>) => Promise<void>): Promise<void>
}

/**
 * Writes the game as it is at this moment into a new folder, for its owner's eyes only. The game goes on
 * meanwhile. The folder appears by one rename: under its name it is whole.
 *
 * @param client used by nobody else
 * @throws StartError when the folder is there or cannot be written
 */
export async function writeBackup(client: ClientBase, folder: string, secret: string): Promise<void> {
  if (await exists(folder)) throw new StartError(`${folder} is already there: name a new folder`)
  const draft = join(dirname(folder), `.${basename(folder)}.unfinished-${randomUUID()}`)
  try {
    await makeFolder(draft)
    // One snapshot of the whole game, while it goes on.
    await client.query('begin isolation level repeatable read, read only')
    await pipeline(dump(client), createGzip(), newFile(join(draft, DUMP)))
    await client.query('commit')
    await pipeline([`${secret}\n`], newFile(join(draft, SECRET)))
    await pipeline([await sumOf(draft, DUMP), await sumOf(draft, SECRET)], newFile(join(draft, SUMS)))
    await syncFolder(draft)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw isOfFiles(error)
      ? new StartError(`Cannot write the backup ${folder} (${errorCode(error)})`, { cause: error })
      : error
  }
}

/** A file for its owner alone, on the disk for good before its stream has closed. */
function newFile(file: string): Writable {
  return createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
}

/**
 * Looks a backup through, every byte of it, before anything is done with it.
 *
 * @throws StartError when it is not there, not whole or damaged
 */
export async function openBackup(folder: string): Promise<Backup> {
  try {
    const sums = await readFile(join(folder, SUMS), 'utf8')
    const found = (await sumOf(folder, DUMP)) + (await sumOf(folder, SECRET))
    if (found !== sums) throw new StartError(`The backup ${folder} is damaged: use another one`)
    const secret = (await readFile(join(folder, SECRET), 'utf8')).trim()
    return { secret, read: load => pipeline(createReadStream(join(folder, DUMP)), createGunzip(), load) }
  } catch (error) {
    if (!isOfFiles(error)) throw error
    throw new StartError(`${folder} is not a whole backup (${errorCode(error)}): use another one`, {
      cause: error,
    })
  }
}

async function sumOf(folder: string, name: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(folder, name)), hash)
  return `${hash.digest('hex')}  ${name}\n`
}

/** True for what the system says of files: no space left, no such folder, no right to it. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'errno' in error
}
