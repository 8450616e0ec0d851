import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { MAIN, ServerNode } from '../support/node.ts'
import { settingsFor } from '../support/shared-postgres.ts'

/** Makes a program believe that its standard output is a terminal. */
const ON_TERMINAL = `data:text/javascript,
  import tty from 'node:tty'; import { syncBuiltinESMExports } from 'node:module';
  tty.isatty = () => true; syncBuiltinESMExports()`

/** Starts a server, sends these signals one after the other, and returns the last line of its log. */
async function lastLine(parameters: readonly string[], signals: readonly NodeJS.Signals[]): Promise<object> {
  const { connection, drop } = await createTestDatabase()
  const node = await ServerNode.start(settingsFor(connection), parameters)
  try {
    for (const signal of signals) {
      process.kill(node.pid, signal)
      await fetch(`${node.url}/healthz`).catch(() => node.exited)
    }
    await node.exited
    expect(node.exitCode).toBe(0)
    return JSON.parse(node.output.trim().split('\n').at(-1) ?? '')
  } finally {
    await node.end('SIGKILL')
    await drop()
  }
}

test('a server outlives its terminal when its output goes elsewhere, and its last line names the signal that ends it', async () => {
  const line = await lastLine([MAIN], ['SIGHUP', 'SIGTERM'])
  expect(line).toMatchObject({ msg: 'TAPS has stopped', signal: 'SIGTERM' })
})

test('a server ends with the terminal that shows its output', async () => {
  const line = await lastLine(['--import', ON_TERMINAL, MAIN], ['SIGHUP'])
  expect(line).toMatchObject({ msg: 'TAPS has stopped', signal: 'SIGHUP' })
})
