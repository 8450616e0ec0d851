import { fileURLToPath } from 'node:url'
import { build, requireBuild } from './build.mjs'
import { install } from './install.mjs'
import { SetupError } from './project.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Goes to the project's folder, whatever the current one is, and installs and builds there what is missing or has
 * changed.
 *
 * @param {{ dev: boolean }} set with the packages of the tests or without
 * @throws {SetupError}
 */
export async function setUp({ dev }) {
  process.chdir(ROOT)
  await install({ dev })
  await build()
}

/**
 * Goes to the project's folder for a program that uses what was built last, whatever has changed since, and changes
 * nothing itself.
 *
 * @throws {SetupError} when nothing was built
 */
export async function goToBuild() {
  process.chdir(ROOT)
  requireBuild()
}

/**
 * Ends the process with one line when what it waits for cannot be done.
 *
 * @template Result
 * @param {Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function orExplain(work) {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
