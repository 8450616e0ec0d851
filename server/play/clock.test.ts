import { describe, expect, test, vi } from 'vitest'
import type { PrizePool, Recorded } from '../../contract/api.ts'
import { CLOCK_TOLERANCE_MS } from '../../contract/clock.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { rounds, startedAt } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ clockToleranceMs: CLOCK_TOLERANCE_MS })

const ACTUAL_MS = 3_000
/** A time that no machine takes for a few calls. */
const LONG_MS = 60_000

/** Records a perfect attempt that arrives exactly this long after Start, by the clock of the transaction. */
async function recordAfter(elapsedMs: number) {
  const [row] = await world.sql<{ id: number | null; reason: string | null; won_taps: number | null }>(
    `select id, reason, won_taps from record_batch(
      array[gen_random_uuid()], array[1], array[null]::bigint[], array['Clocked'],
      array[$1::integer], array[$1::integer], array[floor(extract(epoch from now()) * 1000) - $2]::bigint[],
      array[true], 1, '15 minutes', $3, $4)`,
    [ACTUAL_MS, elapsedMs, CLOCK_TOLERANCE_MS, ROUND_LIFETIME_MS],
  )
  return row
}

describe('a perfect attempt', () => {
  test.each<[string, number, string | null]>([
    ['wins when the database measured the time that the attempt claims', ACTUAL_MS, null],
    ['wins when the database measured 750 ms less, which is the tolerance', ACTUAL_MS - 750, null],
    ['cannot win when the database measured 751 ms less', ACTUAL_MS - 751, 'clock'],
    ['cannot win when no time has passed since Start', 0, 'clock'],
    ['cannot win when the timestamp of Start is in the future', -60_000, 'clock'],
    ["wins at the end of its round's lifetime", ROUND_LIFETIME_MS - 1, null],
  ])('%s', async (_, elapsedMs, reason) => {
    const won_taps = reason === null ? expect.any(Number) : null
    expect(await recordAfter(elapsedMs)).toEqual({ id: expect.any(Number), reason, won_taps })
  })

  test('is not recorded after the lifetime of its round', async () => {
    expect(await recordAfter(ROUND_LIFETIME_MS + 1)).toEqual({ id: null, reason: null, won_taps: null })
  })
})

/** Prepares a guest's perfect attempt, to be sent as if Start was this long ago. */
async function perfectAttempt() {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const send = async (agoMs: number, actual_time = round.target_time) => {
    const start = startedAt(round, (await databaseNow()) - agoMs)
    return guest.post<Recorded>('/api/attempts', { start, username: 'Clocked', actual_time })
  }
  return { send, round }
}

async function databaseNow(): Promise<number> {
  const [row] = await world.sql<{ now: Date }>('select clock_timestamp() as now')
  return row?.now.getTime() ?? Number.NaN
}

test('adds a TAP to the pool for an impossibly fast attempt, but never grants a win, and gives the reason', async () => {
  const taps = async () => (await world.newcomer().get<PrizePool>('/api/prize-pool')).body.taps
  const { send } = await perfectAttempt()
  const before = await taps()
  const { status, body } = await send(-LONG_MS)
  expect(status).toBe(201)
  expect(body).toMatchObject({ verified: false, reason: 'clock', prize: null })
  expect(body.attempt).toMatchObject({ verified: false, won_taps: null, taps_added: 1 })
  const again = await send(LONG_MS)
  expect(again).toMatchObject({
    status: 200,
    body: { attempt: body.attempt, verified: false, reason: 'clock' },
  })
  expect(await taps()).toBe(before + 1)
})

test('answers a recorded attempt at any time, but records none ten minutes after its Start', async () => {
  const { send, round } = await perfectAttempt()
  const late = ROUND_LIFETIME_MS + LONG_MS
  expect(await send(late)).toMatchObject({ status: 410, body: { code: 'round_expired', round } })
  const { body } = await send(LONG_MS)
  expect(body).toMatchObject({ verified: true, reason: null })
  expect(await send(late)).toMatchObject({ status: 200, body: { attempt: body.attempt, reason: null } })
  const other = round.target_time + 0.001
  expect(await send(late, other)).toMatchObject({ status: 409, body: { code: 'round_already_played' } })
})

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])("verifies rounds when a node's clock is an hour %s at Start, at Stop or at both", async (_, offMs) => {
  const { now } = Date
  for (const [startOffMs, stopOffMs] of [[offMs, 0] as const, [0, offMs] as const, [offMs, offMs] as const]) {
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + startOffMs)
    const guest = world.newcomer()
    const start = (await guest.start()).start
    clock.mockImplementation(() => now() + stopOffMs)
    const attempt = { start, username: 'Two Clocks', actual_time: 0.5 }
    const { body } = await guest.post<Recorded>('/api/attempts', attempt)
    expect(body).toMatchObject({ verified: true, reason: null })
  }
})

describe('Start', () => {
  test.each(['a guest', 'a user'])(
    'of %s carries the time of the database between call and answer',
    async who => {
      const player = world.newcomer()
      if (who === 'a user') await player.createAccount('Punctual', 'correct horse battery')
      const { round } = await player.session()
      const before = await databaseNow()
      const start = rounds.readStart((await player.start(round)).start)
      expect(start.startedAt).toBeGreaterThanOrEqual(before)
      expect(start.startedAt).toBeLessThanOrEqual(await databaseNow())
    },
  )
})
