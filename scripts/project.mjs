import { accessSync, constants, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the project, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')

/** Something that the person at the keyboard can put right, said in one line. */
export class SetupError extends Error {}

/**
 * @param {...string} parts of a path inside the project
 * @returns {string}
 */
export function inProject(...parts) {
  return [ROOT, ...parts].join('/')
}

/**
 * @param {string} folder
 * @throws {SetupError} when files cannot be made there
 */
export function requireWritable(folder) {
  if (!existsSync(folder)) return
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new SetupError(
      `Cannot write to ${folder}: make it writable for this user, or clone the project into a folder that is.`,
    )
  }
}
