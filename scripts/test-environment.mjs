import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variables that tests may read from the shell: where programs are, and what to run. */
const KEPT = ['PATH', 'TERM', 'NO_COLOR', 'TESTS', 'FAULTS_SEED', 'TEST_POSTGRES', 'CHROMIUM_PATH', 'REPEATS']

/** The longest folder, in bytes, below which the paths of PostgreSQL's sockets are short enough. */
const LONGEST = 20

/**
 * Creates the environment of a test run, without the shell's settings, `PG*` and `GIT_*`. The home folder is
 * an empty temporary folder, which is deleted when this process exits.
 *
 * @param {NodeJS.ProcessEnv} [shell]
 * @returns {NodeJS.ProcessEnv}
 */
export function createTestEnvironment(shell = process.env) {
  const parent = Buffer.byteLength(tmpdir()) > LONGEST ? '/tmp' : tmpdir()
  const folder = mkdtempSync(join(parent, 'taps-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Lets PostgreSQL's user pass, who is another user when the tests run as root.
  chmodSync(folder, 0o711)
  const kept = KEPT.filter(name => shell[name]).map(name => [name, shell[name]])
  const fixed = { HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1' }
  return { ...Object.fromEntries(kept), ...fixed }
}
