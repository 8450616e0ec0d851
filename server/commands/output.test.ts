import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { childEnvironment } from '../../tests/support/child-environment.ts'
import { runBuilt, toUrl } from '../../tests/support/command.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const paths = openPlaces()

const settings = () => ({ DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET })

/** Starts a built command with this standard output: a pipe, or the descriptor of a file. */
function start(argv: readonly string[], stdout: 'pipe' | number): ChildProcess {
  return spawn(process.execPath, ['dist/server/commands.js', ...argv], {
    env: childEnvironment(settings()),
    stdio: ['ignore', stdout, 'pipe'],
  })
}

/** Returns the exit code of a command whose reader goes away before the first line. */
async function exitCodeUnread(argv: readonly string[]): Promise<number> {
  const command = start(argv, 'pipe')
  command.stdout?.destroy()
  command.stderr?.destroy()
  const [code] = await once(command, 'exit')
  return code
}

test('a command does its work and exits with its own code when nothing reads its output', async () => {
  const folder = paths.newFolder()
  expect(await exitCodeUnread(['backup', folder])).toBe(0)
  expect(await readdir(folder)).toContain('contents.json.gz')
  // More than a pipe holds.
  expect(await exitCodeUnread(['sql', 'select generate_series(1, 100000)'])).toBe(0)
  expect(await exitCodeUnread(['ledgers'])).toBe(2)
})

test('a command outlives its terminal when its output goes elsewhere', async () => {
  const command = start(['sql', 'select pg_sleep(1)'], 'pipe')
  const exited = once(command, 'exit')
  const sleeps = "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
  await until('the query to run', async () => (await world.sql(sleeps)).length > 0)
  command.kill('SIGHUP')
  expect(await exited).toEqual([0, null])
})

test('a command exits with 1 and one line when its output cannot be written', async () => {
  // Only Linux has this device.
  if (!existsSync('/dev/full')) return
  const full = await open('/dev/full', 'w')
  const command = start(['ledger'], full.fd)
  const exited = once(command, 'exit')
  const notes = command.stderr ? await text(command.stderr) : ''
  const [game, ...lines] = notes.trimEnd().split('\n')
  await full.close()
  expect(await exited).toEqual([1, null])
  expect(game).toMatch(/^postgres:/)
  expect(lines).toEqual([expect.stringMatching(/^The output could not be written \(ENOSPC: .*\)$/)])
})

test('a command escapes the control characters of names and columns, except tabs', async () => {
  const name = 'Clear\u0007\u001b\u009b\u202eer'
  await world.newcomer().createAccount('Clearer', 'correct horse battery')
  await world.sql('update users set username = $1, taps_balance = 1', [name])
  const ledger = await runBuilt('ledger', [], settings())
  await world.sql('update users set taps_balance = 0')
  expect(ledger.stdout).toContain('(Clear\\u0007\\u001b\\u009b\\u202eer) has a balance of 1')
  const { stdout } = await runBuilt('sql', [`select 1 as "a\u001b[31m\nb", 2 as c`], settings())
  expect(stdout).toBe('a\\u001b[31m\\nb\tc\n1\t2\n(1 rows)\n')
})

test.each([['players'], ['winners'], ['sql', 'select 1 as "Jürgen"']])(
  '%s --csv begins with one byte order mark, without which Excel misreads names',
  async (name, ...query) => {
    const { code, stdout } = await runBuilt(name, ['--csv', ...query], settings())
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\ufeff"[^\ufeff]+$/)
  },
)
