import { build, isBuilt } from './build.mjs'
import { install, isInstalled } from './install.mjs'
import { ROOT, SetupError } from './project.mjs'
import { SetupLock } from './setup-lock.mjs'

/**
 * Installs and builds what is missing or has changed, in the project folder, whatever the current one is; nothing
 * when all is as it should be. A set-up that was killed half-way is done again, and of several at once all but
 * one wait.
 *
 * @param {{ dev: boolean }} set with the packages of the tests or without
 * @throws {SetupError}
 */
export async function setUp({ dev }) {
  process.chdir(ROOT)
  if (isInstalled({ dev }) && isBuilt()) return
  const lock = new SetupLock()
  await lock.take()
  const onStart = lock.include.bind(lock)
  try {
    if (!isInstalled({ dev })) await install({ dev, onStart })
    await build({ onStart })
  } finally {
    lock.release()
  }
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
