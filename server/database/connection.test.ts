import { expect, onTestFinished, test } from 'vitest'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'
import { openDatabase } from './connection.ts'
import { OutageError } from './outage.ts'

const world = openWorld()

test('keeps the options of the connection, except those that the game must set', async () => {
  const requested = 'jit=on enable_seqscan=on plan_cache_mode=auto work_mem=8MB datestyle=SQL array_nulls=off'
  const options = `${requested} default_transaction_isolation=serializable`.replace(/\S+/g, '-c $&')
  const pool = openDatabase({ ...world.database.connection, options }, world.game.server.log)
  const needed = {
    jit: 'off',
    enable_seqscan: 'off',
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: '3s',
    datestyle: 'ISO, MDY',
    array_nulls: 'on',
    default_transaction_isolation: 'read committed',
    work_mem: '8MB',
  }
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, current_setting(name) as setting from unnest($1::text[]) as name',
    [Object.keys(needed)],
  )
  await pool.end()
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(needed)
})

test('logs no warning when a connection ends because the pool was closed', async () => {
  const warnings: unknown[] = []
  const log = { ...world.game.server.log, warn: (line: unknown) => warnings.push(line) }
  const pool = openDatabase(world.database.connection, log)
  const client = await pool.connect()
  client.release()
  const ended = pool.end()
  client.emit('error', new Error('terminating connection due to administrator command'))
  await ended
  expect(warnings).toEqual([])
})

test('keeps no socket open when the database demands a password that the address lacks', async () => {
  const relay = await DatabaseRelay.open(world.database.connection)
  await relay.repair()
  onTestFinished(() => relay.cut())
  const pool = openDatabase({ ...relay.connection, password: undefined }, world.game.server.log)
  onTestFinished(() => pool.end())
  const queries = Array.from({ length: 30 }, () => pool.query('select'))
  for (const { status, reason } of (await Promise.allSettled(queries)) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected')
    expect(reason).toBeInstanceOf(OutageError)
  }
  // PostgreSQL itself would wait for the password for 60 s.
  await until('the connections to end', () => relay.sockets === 0, 5_000)
})
