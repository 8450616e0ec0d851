import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { programPath } from './programs.ts'

/** Of util-linux: it runs a command on a terminal of its own. */
const script = programPath('script')
const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
const TIMEOUT_MS = 30_000
const CTRL_C = '\u0003'

/** What the server says at a terminal until it ends, by Ctrl-C when it has said enough. */
async function atTerminal(settings: Record<string, string>, enough?: RegExp): Promise<string[]> {
  const { PATH, HOME } = process.env
  const child = spawn(script, ['-qec', `exec '${process.execPath}' '${MAIN}'`, '/dev/null'], {
    env: { PATH, HOME, ...settings },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
  })
  let said = ''
  let isStopped = false
  child.stdout.on('data', chunk => {
    said += chunk
    if (isStopped || !enough?.test(said)) return
    isStopped = true
    child.stdin.write(CTRL_C)
  })
  await once(child, 'exit')
  return said.trim().split(/\r?\n/)
}

test('at a terminal what is wrong is a plain sentence', async () => {
  expect(await atTerminal({ PORT: 'none' })).toEqual([expect.stringMatching(/^PORT is "none": expected/)])
})

test('at a terminal the game says in plain words where it is', async () => {
  const postgres = await SharedPostgres.open()
  const settings = { ...postgres.settings(), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  const [first] = await atTerminal(settings, /ready at \S+\s/)
  await postgres.close()
  expect(first).toMatch(/^TAPS is ready at http:\/\/127\.0\.0\.1:\d+$/)
})
