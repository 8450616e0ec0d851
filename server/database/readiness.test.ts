import { afterEach, expect, test, vi } from 'vitest'
import { CLOCK_TOLERANCE_MS } from '../../contract/clock.ts'
import { openWorld } from '../../tests/support/world.ts'
import { readLedger } from '../game/ledger.ts'
import { ClockCheck } from './clock.ts'
import { Readiness } from './readiness.ts'

const HOUR_MS = 3_600_000

const world = openWorld()

afterEach(() => vi.restoreAllMocks())

function build(toleranceMs = CLOCK_TOLERANCE_MS) {
  const log = { error: vi.fn(), info: vi.fn() }
  const readiness = new Readiness(world.pool, new ClockCheck(world.pool, toleranceMs, log))
  return { readiness, log }
}

async function newReadiness(): Promise<Readiness> {
  const { readiness } = build()
  await readiness.prepared()
  return readiness
}

/** Sets this machine's clock. */
function setClock(offMs: number): void {
  vi.restoreAllMocks()
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + offMs)
}

/** How many attempt numbers were given out; a rehearsal takes one, as an attempt does. */
async function numbersTaken(): Promise<number> {
  const [row] = await world.sql<{ taken: number }>(
    `select case when is_called then last_value else 0 end as taken from attempts_id_seq`,
  )
  return row?.taken ?? Number.NaN
}

test('a probe rehearses once while nothing is recorded, and leaves nothing behind', async () => {
  const readiness = await newReadiness()
  const before = await readLedger(world.pool)
  const taken = await numbersTaken()
  await readiness.check()
  await Promise.all(Array.from({ length: 20 }, () => readiness.check()))
  expect(await numbersTaken()).toBe(taken + 1)
  expect(await readLedger(world.pool)).toEqual(before)
  expect(await world.sql(`select from attempts where username = 'rehearsal'`)).toEqual([])
})

test('a probe writes nothing while attempts are recorded', async () => {
  const readiness = await newReadiness()
  readiness.recorded()
  const taken = await numbersTaken()
  await readiness.check()
  expect(await numbersTaken()).toBe(taken)
})

test('a database that answers reads and takes no attempt is not ready, and is again once it does', async () => {
  const readiness = await newReadiness()
  readiness.recorded()
  await world.sql('alter table attempts add constraint none check (false) not valid')
  readiness.failed()
  const title = 'The database cannot record attempts'
  for (let probe = 0; probe < 2; probe += 1) {
    await expect(readiness.check()).rejects.toMatchObject({ code: 'unavailable', details: { title } })
  }
  await world.sql('alter table attempts drop constraint none')
  await readiness.check()
})

test('a node whose database was never there is not ready, and asks nothing of it', async () => {
  const query = vi.spyOn(world.pool, 'query')
  await expect(build().readiness.check()).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfter: 1 },
  })
  expect(query).not.toHaveBeenCalled()
})

test.each([['ahead of', HOUR_MS]])(
  "a node whose clock is an hour %s the database's says so, takes no rounds, and does again",
  async (side, offMs) => {
    const { readiness, log } = build()
    setClock(offMs)
    await readiness.prepared()
    expect(() => readiness.requireClock()).toThrow(
      expect.objectContaining({ code: 'unavailable', details: { retryAfter: 1, told: true } }),
    )
    const title = expect.stringMatching(
      RegExp(`^The clock of this node is 3[56]\\d{5} ms ${side} the database's$`),
    )
    for (let probe = 0; probe < 2; probe += 1) {
      await expect(readiness.check()).rejects.toMatchObject({
        code: 'unavailable',
        details: { title, retryAfter: 1 },
      })
    }
    expect(log.error.mock.calls).toEqual([
      [expect.stringMatching(`${side} the database's: no rounds are taken until`)],
    ])
    setClock(0)
    await readiness.check()
    await readiness.check()
    readiness.requireClock()
    expect(log.error).toHaveBeenCalledOnce()
    expect(log.info).toHaveBeenCalledOnce()
  },
)
