import { accessSync, constants, existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** An error that the user can fix, with a one-line message. */
export class SetupError extends Error {}

/**
 * @param {readonly string[]} folders
 * @throws {SetupError} when a folder exists and cannot be written
 */
export function requireWritable(...folders) {
  for (const folder of folders.filter(path => existsSync(path))) {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK)
    } catch {
      throw new SetupError(
        `Cannot write to ${resolve(folder)}: make it writable for this user, or clone the project into a folder that is.`,
      )
    }
  }
}
