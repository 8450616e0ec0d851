import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './lib/errors.ts'
import { createDataDir, readError, syncFolder } from './lib/files.ts'
import type { Env } from './settings.mjs'

const SECRET_BYTES = 32
const FILE = 'secret'

type Place = Pick<Env, 'secret' | 'dataDir'>

/**
 * Returns SECRET, or else the secret in the data folder; creates one at the first start. If the file was lost, the
 * game refuses the new secret.
 *
 * @throws {StartError} when the file is damaged or cannot be written
 */
export async function loadOrCreateSecret({ secret, dataDir }: Place): Promise<string> {
  return secret ?? keep(dataDir, randomBytes(SECRET_BYTES).toString('base64url'))
}

/**
 * Returns SECRET, or else the secret in the data folder.
 *
 * @throws {StartError} when there is no secret, or the file is damaged
 */
export async function loadSecret({ secret, dataDir }: Place): Promise<string> {
  const file = join(dataDir, FILE)
  if (!secret && !existsSync(file)) {
    throw new StartError(`${file} is missing: put it back from a backup, or set SECRET to its content`)
  }
  return secret ?? read(file)
}

/**
 * Stores a backup's secret for the server.
 *
 * @throws {StartError} when SECRET or the data folder holds another secret
 */
export async function setSecret({ secret, dataDir }: Place, adopted: string): Promise<void> {
  const used = secret ?? (await keep(dataDir, adopted))
  if (used === adopted) return
  const place = secret ? 'SECRET' : `the one in ${join(dataDir, FILE)}`
  throw new StartError(
    `The secret of this backup differs from ${place}: make them equal, or the game forgets every guest`,
  )
}

/** Stores the secret unless the file exists; only the owner of the data folder does. Returns the stored secret. */
async function keep(dataDir: string, secret: string): Promise<string> {
  await createDataDir(dataDir)
  const file = join(dataDir, FILE)
  if (!existsSync(file)) {
    await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true })
    await rename(`${file}.new`, file)
    await syncFolder(dataDir)
  }
  return read(file)
}

async function read(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(cause => {
    throw readError(file, cause)
  })
  const secret = text.trim()
  if (secret.length >= SECRET_BYTES) return secret
  throw new StartError(`${file} is damaged: put it back from a backup, because all keys derive from it`)
}
