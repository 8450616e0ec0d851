import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder of unfinished work. */
const CACHE = '.cache'

/** An error that the user can fix, with a one-line message. */
export class SetupError extends Error {}

/**
 * The space that some work needs.
 *
 * @typedef {object} Space
 * @property {number} mib
 * @property {number} files - The number of files and folders.
 */

/**
 * Makes a folder for unfinished work, which is removed when this process ends. Also removes the folders of
 * processes that were killed.
 *
 * @param {Space} needed
 * @throws {SetupError} when the disk is full or runs no programs
 */
export function makeDraft(needed) {
  requireSpace(needed)
  mkdirSync(CACHE, { recursive: true })
  for (const name of readdirSync(CACHE)) if (isLeftover(name)) remove(resolve(CACHE, name))
  const draft = resolve(CACHE, `draft-${process.pid}`)
  // Unlike mkdtemp, lets other users enter: a service runs the build as a user of its own.
  mkdirSync(draft)
  process.once('exit', () => remove(draft))
  requirePrograms(draft)
  return draft
}

/**
 * Packages bring compiled code, which a disk that is mounted with noexec refuses to run.
 *
 * @param {string} draft
 */
function requirePrograms(draft) {
  const program = `${draft}/program`
  writeFileSync(program, '', { mode: 0o700 })
  try {
    accessSync(program, constants.X_OK)
  } catch {
    throw new SetupError(
      `No program can run on the disk of ${resolve('.')}: clone the project to another disk.`,
    )
  }
  rmSync(program)
}

/**
 * Requires free space. Checks it before and after an installation, because npm ignores a full disk.
 *
 * @param {Space} needed
 * @throws {SetupError}
 */
export function requireSpace({ mib, files }) {
  const { bavail, bsize, files: inodes, ffree } = statfsSync('.')
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free < mib)
    throw new SetupError(`The disk of ${resolve('.')} has ${free} MiB free; ${mib} MiB are needed.`)
  // Some file systems, such as Btrfs, have no such limit and report 0.
  if (inodes > 0 && ffree < files)
    throw new SetupError(`The disk of ${resolve('.')} has room for ${ffree} more files; ${files} are needed.`)
}

/** @param {string} name - The name of an entry in the cache. */
function isLeftover(name) {
  const [, pid] = /^draft-(\d+)/.exec(name) ?? []
  if (pid === undefined) return false
  try {
    return Number(pid) === process.pid || !process.kill(Number(pid), 0)
  } catch {
    return true
  }
}

/** @param {string} folder */
export function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A killed process may have left a program that still writes; a later process removes the rest.
  }
}
