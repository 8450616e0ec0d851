import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../tests/support/child-environment.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { postmasterOf } from '../../tests/support/shared-postgres.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const POLL_MS = 2
const LONGEST_MS = 60_000

/**
 * Runs `npm start` until the page is served, then stops the server and its database.
 *
 * @returns the time from the command to the page, in ms
 */
export async function timeNpmStart(dataDir: string): Promise<number> {
  const port = await freePort('localhost')
  const env = childEnvironment({ PORT: `${port}`, DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const began = performance.now()
  // Runs npm in its own process group, so that the signal reaches the whole group, like Ctrl-C in a terminal.
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'ignore', detached: true })
  const end = once(npm, 'exit')
  while (!(await answers(`http://localhost:${port}`))) {
    const took = performance.now() - began
    if (took > LONGEST_MS || npm.exitCode !== null)
      throw new Error('npm start exited or took too long before the page was served')
    await sleep(POLL_MS)
  }
  const took = performance.now() - began
  process.kill(-(npm.pid ?? 0), 'SIGTERM')
  await end
  while ((await postmasterOf(dataDir)) > 0) await sleep(POLL_MS)
  return took
}

async function answers(url: string): Promise<boolean> {
  const page = await fetch(url).catch(() => null)
  await page?.text()
  return page?.status === 200
}
