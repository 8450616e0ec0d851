import { existsSync } from 'node:fs'
import { access, constants, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode, StartError } from './errors.ts'
import { userName } from './process.ts'

/**
 * Creates the data folder, for its owner only, unless the folder exists.
 *
 * @throws {StartError} when the folder cannot be created or written
 */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    await createFolder(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw writeError(dataDir, cause)
  }
}

function writeError(dataDir: string, cause: unknown): StartError {
  const code = errorCode(cause)
  const advice =
    code === 'EROFS'
      ? 'the file system is read-only; systemd lets the game write only below /var/lib/taps, so set DATA_DIR to a folder there'
      : 'make it writable or set DATA_DIR'
  return new StartError(`Cannot write to the data folder ${dataDir} (${code}): ${advice}`, { cause })
}

/** Explains why a file cannot be read: mostly, another user owns the file. */
export function readError(file: string, cause: unknown): StartError {
  const advice = `the user ${userName()} must own it, and be able to enter its folder`
  return new StartError(`Cannot read ${file} (${errorCode(cause)}): ${advice}`, { cause })
}

/** Creates a folder and its parents, for their owner only. */
export async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    // Node reports ENOENT for a read-only file system, so asks the file system itself.
    if (errorCode(error) === 'ENOENT') await access(existingParent(folder), constants.W_OK)
    throw error
  }
}

function existingParent(folder: string): string {
  const parent = dirname(folder)
  return existsSync(parent) ? parent : existingParent(parent)
}

/**
 * Flushes a folder to disk, so that a new name in the folder survives a power cut. Shares and FUSE often cannot flush
 * a folder, which is no reason to refuse a backup.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
