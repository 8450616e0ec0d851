import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { errorCode, makeFolder, syncFolder } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { isNoted } from './fingerprint.ts'
import { readSchema } from './migrate.ts'
import { alteredFiles, namesFit, SUMS, sumsOf } from './sums.ts'
import { readSequences, readTables } from './tables.ts'

const SEQUENCES = 'sequences.json'
const SECRET = 'secret'

const rowsFile = (table: string) => `${table}.copy.gz`

/** A backup that was found whole. */
export interface Backup {
  /** All keys of the game derive from it. */
  readonly secret: string
  /** Where each sequence stands, as JSON. */
  readonly sequences: string
  /** Hands the rows of a table to `COPY … FROM`. */
  load(table: string, rows: Writable): Promise<void>
}

/**
 * Writes the game as it is at this moment into a new folder, for its owner's eyes only. The game goes on
 * meanwhile. The folder appears by one rename: under its name it is whole.
 *
 * @param client used by nobody else
 * @throws StartError when the folder is there or cannot be written, or when another release or another secret has made the game
 */
export async function writeBackup(client: ClientBase, folder: string, secret: string): Promise<void> {
  if (existsSync(folder)) throw new StartError(`${folder} is already there: name a new folder`)
  const draft = draftOf(folder)
  try {
    await makeFolder(draft)
    await writeGame(client, draft, secret)
    await pipeline([`${secret}\n`], newFile(join(draft, SECRET)))
    await pipeline([await sumsOf(draft)], newFile(join(draft, SUMS)))
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

/** Where a backup is while it is not whole: nobody takes it for one there. */
export function draftOf(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.unfinished-${randomUUID()}`)
}

async function writeGame(client: ClientBase, folder: string, secret: string): Promise<void> {
  // One snapshot of the whole game, while it goes on.
  await client.query('begin isolation level repeatable read, read only')
  // The one form of times that is read in the same way whatever the other database is set to.
  await client.query(`set local datestyle = 'ISO'`)
  await readSchema(client)
  await isNoted(client, secret)
  for (const table of await readTables(client)) {
    const rows = client.query(copyTo(`copy ${table} to stdout`))
    await pipeline(rows, createGzip(), newFile(join(folder, rowsFile(table))))
  }
  // Sequences obey no snapshot. Read after the rows, each is at least at the highest of them.
  await pipeline([JSON.stringify(await readSequences(client))], newFile(join(folder, SEQUENCES)))
  await client.query('commit')
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
    const altered = await alteredFiles(folder)
    if (altered.length > 0) throw damaged(folder, altered.join(', '))
    return {
      secret: await readSecret(folder),
      sequences: await readFile(join(folder, SEQUENCES), 'utf8'),
      load: (table, rows) => load(folder, rowsFile(table), rows),
    }
  } catch (error) {
    if (!isOfFiles(error)) throw error
    throw new StartError(`${folder} is not a whole backup (${errorCode(error)}): use another one`, {
      cause: error,
    })
  }
}

async function load(folder: string, file: string, rows: Writable): Promise<void> {
  await pipeline(createReadStream(join(folder, file)), createGunzip(), rows).catch(error => {
    // Whoever changed the folder has made new sums as well.
    throw /^(Z_|ENOENT$)/.test(errorCode(error)) ? damaged(folder, file, error) : error
  })
}

function damaged(folder: string, files: string, cause?: unknown): StartError {
  return new StartError(`The backup ${folder} is damaged (${files}): use another one`, { cause })
}

/**
 * When a folder was written that holds a backup of the game with this secret, as far as the names of its files say; null
 * for anything else.
 */
export async function writtenAt(folder: string, secret: string): Promise<Date | null> {
  try {
    const isOurs = (await namesFit(folder)) && (await readSecret(folder)) === secret
    return isOurs ? (await stat(join(folder, SUMS))).mtime : null
  } catch (error) {
    if (isOfFiles(error)) return null
    throw error
  }
}

async function readSecret(folder: string): Promise<string> {
  return (await readFile(join(folder, SECRET), 'utf8')).trim()
}

/** True for what the system says of files: no space left, no such folder, no right to it. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'errno' in error
}
