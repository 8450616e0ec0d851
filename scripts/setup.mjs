import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, hasBuild, isBuilt } from './build.mjs'
import { install } from './install.mjs'
import { isWritable, SetupError } from './project.mjs'

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
 * As `setUp` where that may write; elsewhere what was built is used.
 *
 * @throws {SetupError}
 */
export async function setUpOrUse() {
  process.chdir(ROOT)
  if (isWritable('.') || !hasBuild()) return setUp({ dev: false })
  tellIfNewer()
}

/**
 * Goes to the project's folder for a program that uses what was built last, whatever has changed since, and changes
 * nothing itself.
 *
 * @throws {SetupError} when nothing was built
 */
export function goToBuild() {
  process.chdir(ROOT)
  if (!hasBuild()) throw new SetupError('TAPS is not built here yet: npm start or npm run build does it.')
}

/** Says when what was built is not what the sources are now. */
export function tellIfNewer() {
  if (isBuilt()) return
  const { version } = JSON.parse(readFileSync('dist/package.json', 'utf8'))
  console.log(`running ${version}; the checkout is newer: npm run build`)
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
