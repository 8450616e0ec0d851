import { fileURLToPath } from 'node:url'
import { build, hasBuild } from './build.mjs'
import { install, linkLibraries } from './install.mjs'
import { SetupError } from './project.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Switches to the project's folder, then installs and builds what is missing or has changed.
 *
 * @param {{ dev: boolean, built?: boolean }} set - Whether to include the packages of the tests, and to build.
 * @throws {SetupError}
 */
export async function setUp({ dev, built = true }) {
  process.chdir(ROOT)
  await install({ dev })
  linkLibraries()
  if (built) await build()
}

/**
 * Switches to the project's folder, for a program that uses the last build. Records the user's folder, as npm does, so
 * that commands can resolve relative paths.
 *
 * @throws {SetupError} when there is no build, or the user's folder was deleted
 */
export function goToBuild() {
  Object.assign(process.env, { INIT_CWD: currentFolder() })
  process.chdir(ROOT)
  if (!hasBuild()) throw new SetupError('TAPS is not built here yet: run npm start or npm run build.')
}

function currentFolder() {
  try {
    return process.cwd()
  } catch {
    throw new SetupError('The current folder no longer exists: change to another folder.')
  }
}

/**
 * Waits for work. After a SetupError or an error of the system, such as ENOSPC, prints its message and ends
 * the process.
 *
 * @template Result
 * @param {Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function orExplain(work) {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SetupError || (error instanceof Error && 'syscall' in error))) throw error
    console.error(error.message)
    process.exit(1)
  }
}
