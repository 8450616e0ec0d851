import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createFolder, errorCode, syncFolder } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { gameId, matchesFingerprint } from './fingerprint.ts'
import { readSchema } from './migrate.ts'
import { readSequences, readTables, type Sequence } from './tables.ts'

const SECRET = 'secret'
/** The file that describes the backup, compressed because gzip adds a checksum. */
const CONTENTS = 'contents.json.gz'

const OF_CONNECTIONS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

const rowsFile = (table: string) => `${table}.copy.gz`

interface Contents {
  /** The game's ID, from `gameId()`. */
  readonly game: string
  readonly rows: Readonly<Record<string, number>>
  readonly sequences: readonly Sequence[]
}

export interface Backup {
  readonly secret: string
  /** The tables that the backup contains; an earlier release had fewer. */
  readonly tables: readonly string[]
  readonly sequences: readonly Sequence[]
  load(table: string, target: Writable): Promise<void>
}

/**
 * Writes a snapshot of the game into a new folder that only its owner can read. A rename at the end puts the
 * complete folder in place.
 *
 * @param client - A connection with no other use.
 * @throws {StartError} when the folder exists or cannot be written, or the game has a newer release or
 * another secret
 */
export async function writeBackup(client: ClientBase, folder: string, secret: string): Promise<void> {
  if (existsSync(folder)) throw new StartError(`${folder} already exists: name a new folder`)
  const draft = draftOf(folder)
  try {
    await createFolder(draft)
    const contents = await writeGame(client, draft, secret)
    await pipeline([`${secret}\n`], newFile(join(draft, SECRET)))
    await pipeline([JSON.stringify(contents)], createGzip(), newFile(join(draft, CONTENTS)))
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

function draftOf(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.unfinished-${randomUUID()}`)
}

async function writeGame(client: ClientBase, folder: string, secret: string): Promise<Contents> {
  await client.query('begin isolation level repeatable read, read only')
  // Uses ISO, the only date format that every database reads in the same way.
  await client.query(`set local datestyle = 'ISO'`)
  await readSchema(client)
  await matchesFingerprint(client, secret)
  const rows: Record<string, number> = {}
  for (const table of await readTables(client)) {
    const copy = client.query(copyTo(`copy ${table} to stdout`))
    await pipeline(copy, createGzip(), newFile(join(folder, rowsFile(table))))
    rows[table] = copy.rowCount
  }
  // Reads sequences last, because sequences ignore the snapshot and only grow.
  const sequences = await readSequences(client)
  await client.query('commit')
  return { game: gameId(secret), rows, sequences }
}

/** Creates a file that only its owner can read. The stream flushes the file to disk before closing. */
function newFile(file: string): Writable {
  return createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
}

/**
 * Opens a backup after verifying all of its files.
 *
 * @throws {StartError} when the backup is missing, incomplete or damaged
 */
export async function openBackup(folder: string): Promise<Backup> {
  try {
    const { game, rows, sequences } = await readContents(folder)
    // Removes only the line end: spaces may belong to the secret.
    const secret = (await readFile(join(folder, SECRET), 'utf8')).replace(/\n$/, '')
    if (gameId(secret) !== game) throw damaged(folder, SECRET)
    for (const [table, count] of Object.entries(rows)) {
      const file = rowsFile(table)
      if ((await countRows(folder, file)) !== count) throw damaged(folder, file)
    }
    const tables = Object.keys(rows)
    return { secret, tables, sequences, load: (table, target) => unpack(folder, rowsFile(table), target) }
  } catch (error) {
    if (!isOfFiles(error)) throw error
    throw new StartError(`${folder} is not a complete backup (${errorCode(error)}); use another backup`, {
      cause: error,
    })
  }
}

async function readContents(folder: string): Promise<Contents> {
  const chunks: Buffer[] = []
  await unpack(
    folder,
    CONTENTS,
    collector(chunk => chunks.push(chunk)),
  )
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch (cause) {
    throw damaged(folder, CONTENTS, cause)
  }
}

/** Counts lines: COPY writes exactly one line per row. */
async function countRows(folder: string, file: string): Promise<number> {
  let count = 0
  const countLines = (chunk: Buffer) => {
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', end + 1)) count += 1
  }
  await unpack(folder, file, collector(countLines))
  return count
}

function collector(take: (chunk: Buffer) => unknown): Writable {
  return new Writable({
    write(chunk, _, done) {
      take(chunk)
      done()
    },
  })
}

/** Decompresses a file; gzip verifies the length and a checksum. */
async function unpack(folder: string, file: string, target: Writable): Promise<void> {
  await pipeline(createReadStream(join(folder, file)), createGunzip(), target).catch(error => {
    throw errorCode(error).startsWith('Z_') ? damaged(folder, file, error) : error
  })
}

function damaged(folder: string, file: string, cause?: unknown): StartError {
  return new StartError(`The backup ${folder} is damaged (${file}): use another backup`, { cause })
}

/** Returns whether an error is a system error about files, such as ENOSPC. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && !OF_CONNECTIONS.has(errorCode(error))
}
