import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir, writeOnce } from './data-dir.ts'
import { StartError } from './start-error.ts'

const SECRET_BYTES = 32

/**
 * The secret kept in the data folder; made on the first call, the same ever after, for its owner's eyes only.
 *
 * @throws StartError when the folder cannot be written or the file is damaged
 */
export async function keptSecret(dataDir: string): Promise<string> {
  await makeDataDir(dataDir)
  const file = join(dataDir, 'secret')
  await writeOnce(file, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`)
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length >= SECRET_BYTES) return secret
  throw new StartError(`${file} is damaged: put it back from a backup, all keys of the game derive from it`)
}
