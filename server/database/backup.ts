import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, gunzipSync } from 'node:zlib'
import type { ClientBase } from 'pg'
import { type CopyStreamQuery, to as copyTo } from 'pg-copy-streams'
import { errorCode, StartError } from '../lib/errors.ts'
import { createFolder, syncFolder } from '../lib/files.ts'
import { userName } from '../lib/process.ts'
import { gameId, matchesFingerprint } from './fingerprint.ts'
import { existingTables, readSequences, type Sequence } from './tables.ts'

const SECRET = 'secret'
/** The file that describes the backup, compressed because gzip adds a checksum. */
const CONTENTS = 'contents.json.gz'

const rowsFile = (table: string) => `${table}.copy.gz`

interface Contents {
  /** The game's ID, from `gameId()`. */
  readonly game: string
  /** The number of rows in each table. */
  readonly rows: Readonly<Record<string, number>>
  readonly sequences: readonly Sequence[]
}

export interface Backup {
  readonly secret: string
  /** The tables that the backup contains; an earlier release had fewer. */
  readonly tables: readonly string[]
  readonly sequences: readonly Sequence[]
  load(table: string, target: CopyStreamQuery): Promise<void>
}

/**
 * Writes a snapshot of the game into a new folder that only its owner can read. A rename at the end puts the
 * complete folder in place.
 *
 * @param client - A connection with no other use.
 * @throws {StartError} when the folder exists, or the game has another secret
 */
export async function writeBackup(client: ClientBase, folder: string, secret: string): Promise<void> {
  if (existsSync(folder)) throw new StartError(`${folder} already exists: name a new folder`)
  const draft = join(dirname(folder), `.${basename(folder)}.unfinished-${randomUUID()}`)
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
    throw error
  }
}

async function writeGame(client: ClientBase, folder: string, secret: string): Promise<Contents> {
  await client.query('begin isolation level repeatable read, read only')
  // Uses ISO, the only date format that every database reads in the same way.
  await client.query(`set local datestyle = 'ISO'`)
  await matchesFingerprint(client, secret)
  const rows: Record<string, number> = {}
  for (const table of await existingTables(client)) {
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
 * Opens a backup. `load` verifies each file while the rows arrive, so load all tables in one transaction.
 *
 * @throws {StartError} when the backup is missing, incomplete or damaged; also from `load`
 */
export async function openBackup(folder: string): Promise<Backup> {
  const { game, rows, sequences } = await readContents(folder)
  const line = await readFile(join(folder, SECRET), 'utf8').catch(unusable(folder, SECRET))
  // Removes only the line end: spaces may belong to the secret.
  const secret = line.replace(/\n$/, '')
  if (gameId(secret) !== game) throw damaged(folder, SECRET)
  const tables = Object.keys(rows)
  async function load(table: string, target: CopyStreamQuery): Promise<void> {
    await unpack(folder, rowsFile(table), target)
    if (target.rowCount !== rows[table]) throw damaged(folder, rowsFile(table))
  }
  return { secret, tables, sequences, load }
}

async function readContents(folder: string): Promise<Contents> {
  const packed = await readFile(join(folder, CONTENTS)).catch(unusable(folder, CONTENTS))
  try {
    return JSON.parse(gunzipSync(packed).toString())
  } catch (cause) {
    throw damaged(folder, CONTENTS, cause)
  }
}

/** Decompresses a file; gzip verifies the length and a checksum. */
async function unpack(folder: string, file: string, target: Writable): Promise<void> {
  await pipeline(createReadStream(join(folder, file)), createGunzip(), target).catch(unusable(folder, file))
}

/** Creates a function that reports a missing, damaged or unreadable file, and throws any other error unchanged. */
function unusable(folder: string, file: string): (error: unknown) => never {
  return cause => {
    const code = errorCode(cause)
    if (/^(ENOENT|Z_)/.test(code)) throw damaged(folder, file, cause)
    throw /^(EACCES|EPERM)$/.test(code) ? foreign(folder, cause) : cause
  }
}

/** A backup from another machine often belongs to root or to a user ID of that machine. */
function foreign(folder: string, cause: unknown): StartError {
  const user = userName()
  return new StartError(
    `Cannot read the backup ${folder} (${errorCode(cause)}): put it where the user ${user} can enter, ` +
      `then run chown -R ${user} on it`,
    { cause },
  )
}

function damaged(folder: string, file: string, cause?: unknown): StartError {
  return new StartError(`The backup ${folder} is damaged or incomplete (${file}): use another`, { cause })
}
