import { access, constants, mkdir, open } from 'node:fs/promises'
import { StartError } from './process.ts'

/**
 * Creates the data folder, for its owner only, unless the folder exists.
 *
 * @throws {StartError} when the folder cannot be created or written
 */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    await createFolder(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `Cannot write to the data folder ${dataDir} (${errorCode(error)}): make it writable or set DATA_DIR`,
      { cause: error },
    )
  }
}

/** Creates a folder and its parents, for their owner only. */
export async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Flushes a folder to disk, so that a new name in the folder survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

/** Returns a system error's code, such as ENOSPC, or the message. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
