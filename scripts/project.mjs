import { accessSync, constants, existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Something that the person at the keyboard can put right, said in one line. */
export class SetupError extends Error {}

/**
 * @param {string} folder
 * @throws {SetupError} when files cannot be made there
 */
export function requireWritable(folder) {
  if (!existsSync(folder)) return
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    const path = resolve(folder)
    throw new SetupError(
      `Cannot write to ${path}: make it writable for this user, or clone the project into a folder that is.`,
    )
  }
}
