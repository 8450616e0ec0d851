import { accessSync, constants, existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** An error that the person at the keyboard can put right, with a message of one line. */
export class SetupError extends Error {}

/** @param {string} folder */
export function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * @param {readonly string[]} folders
 * @throws {SetupError} when one of them exists and cannot be written
 */
export function requireWritable(...folders) {
  const refused = folders.find(folder => existsSync(folder) && !isWritable(folder))
  if (!refused) return
  throw new SetupError(
    `Cannot write to ${resolve(refused)}: make it writable for this user, or clone the project into a folder that is.`,
  )
}
