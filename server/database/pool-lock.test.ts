import { expect, test } from 'vitest'
import { Gate } from '../../tests/faults/gate.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** Functions that only read, that need a caller with the lock, or that lock only when a hold has expired. */
const OTHERS = [
  'expire_holds',
  'get_unclaimed_taps',
  'last_attempt',
  'move_hold',
  'prize_ends',
  'return_holds',
]

/** Reads the functions of the game, each with a call that has null for every parameter. */
async function readCalls() {
  const calls = await world.sql<{ name: string; call: string }>(
    `select proname as name, format('select from %I(%s)', proname, (
      select string_agg('null::' || format_type(type, null), ', ') from unnest(proargtypes) as type
    )) as call
    from pg_proc where pronamespace = current_schema()::regnamespace and prokind = 'f' and proname <> all ($1)`,
    [OTHERS],
  )
  expect(calls.map(({ name }) => name)).toContain('record_batch')
  return calls
}

test('every database function that changes the game waits for the pool lock before anything else', async () => {
  for (const { name, call } of await readCalls()) {
    const gate = await Gate.close(world.database.connection)
    // After the wait, some functions refuse the nulls.
    const ended = world.pool.query(call).catch(() => undefined)
    await gate.holds(name)
    await gate.open()
    await ended
  }
})
