import { randomUUID } from 'node:crypto'
import { access, constants, link, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from './start-error.ts'

/**
 * Makes sure that the data folder is there and can be written; a new one is for its owner only.
 *
 * @throws StartError
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `Cannot write to the data folder ${dataDir} (${errorCode(error)}): make it writable or set DATA_DIR`,
      { cause: error },
    )
  }
}

/** Writes a file, mode 0600, unless it is there; of several writers at once exactly one wins, whole. */
export async function writeOnce(file: string, content: string): Promise<void> {
  if (await exists(file)) return
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(content)
    await handle.sync()
    await handle.close()
    await link(draft, file)
    await syncFolder(dirname(file))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw new StartError(`Cannot write ${file} (${errorCode(error)})`, { cause: error })
  } finally {
    await rm(draft, { force: true })
  }
}

/** Makes a rename or a new name in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The system's short name for what went wrong, such as ENOSPC; the message where there is none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
