import { describe, expect, test, vi } from 'vitest'
import type { Attempt, Recorded } from '../../contract/api.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { rounds, startedAt } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { newGuest } from '../identity/identity.ts'
import { record } from './play.ts'

const world = openWorld({ clockToleranceMs: 750 })

const STARTED = 1_700_000_000_000

/** What records, by a clock of the test's own: the moments that it is given are the database's time. */
function services(beat: () => Promise<void> = async () => undefined, timeAt = (at: number) => at) {
  return { ...world.game.services, heartbeat: { beat, clock: { timeAt } } }
}

/** A guest's perfect attempt, whose Stop the server stamps `elapsedMs` after the Start. */
async function perfectAfter(elapsedMs: (targetMs: number) => number) {
  const identity = newGuest()
  const round = rounds.next(identity.player, identity.last)
  const { start, target_time } = rounds.start(round, STARTED)
  const body = { start, username: 'Clocked', actual_time: target_time }
  const at = STARTED + elapsedMs(round.targetMs)
  return {
    again: (later: number) =>
      record(services(), { player: identity.player, identity }, rounds.readStart(start), body, later),
    at,
  }
}

describe('a perfect attempt counts by the clock of the server', () => {
  test.each([
    ['as much time as it claims', 0, true],
    ['750 ms less, which is the tolerance', -750, true],
    ['751 ms less', -751, false],
    ['no time at all', Number.NEGATIVE_INFINITY, false],
    ['9 minutes more', 540_000, true],
  ])('when %s has passed', async (_, moreMs, verified) => {
    const { again, at } = await perfectAfter(targetMs => Math.max(0, targetMs + moreMs))
    expect(await again(at)).toMatchObject({
      kind: 'recorded',
      attempt: { verified },
      reason: verified ? null : 'clock',
      prize: verified ? { taps: expect.any(Number) } : null,
    })
  })
})

test('an attempt faster than real time feeds the pool, wins nothing, and says why', async () => {
  const guest = world.newcomer()
  let { round } = await guest.session()
  // Two seconds do not pass between the two calls, even on a slow machine.
  while (round.target_time < 3) round = (await guest.play(round, 3_000)).body.round
  const before = await taps()
  const { status, body } = await guest.play(round, 0)
  expect(status).toBe(201)
  expect(body).toMatchObject({ verified: false, reason: 'clock', prize: null })
  expect(body.attempt).toMatchObject({ verified: false, won_taps: null, taps_added: 1 })
  expect(await taps()).toBe(before + 1)
})

test('sent again later it is still not verified, although the time has passed by then', async () => {
  const { again, at } = await perfectAfter(() => 0)
  const first = await again(at)
  expect(first).toMatchObject({ kind: 'recorded', attempt: { verified: false, won_taps: null } })
  const { attempt } = first as { attempt: Attempt }
  expect(await again(at + 60_000)).toEqual({ kind: 'repeated', attempt, reason: 'clock' })
})

test('an attempt may arrive 10 minutes after its Start and still win, not a millisecond later', async () => {
  const inTime = await perfectAfter(() => ROUND_LIFETIME_MS)
  expect(await inTime.again(inTime.at)).toMatchObject({ prize: { taps: expect.any(Number) } })
  const late = await perfectAfter(() => ROUND_LIFETIME_MS + 1)
  expect(await late.again(late.at)).toEqual({ kind: 'round_expired' })
})

test('an expired attempt is refused with the current round, and records nothing', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const start = startedAt(round, Date.now() - ROUND_LIFETIME_MS - 1_000)
  const { body } = await guest.post('/api/attempts', { start, username: 'Late', actual_time: 2 })
  expect(body).toMatchObject({ status: 410, code: 'round_expired', round })
  expect((await guest.session()).round).toEqual(round)
})

test('an attempt that was recorded in time gets its answer after the ten minutes too', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const attempt = { username: 'Patient', actual_time: round.target_time }
  const start = startedAt(round, Date.now() - 60_000)
  const first = await guest.post<Recorded>('/api/attempts', { start, ...attempt })
  expect(first.status).toBe(201)
  const old = startedAt(round, Date.now() - ROUND_LIFETIME_MS - 1_000)
  const again = await guest.post<Recorded>('/api/attempts', { start: old, ...attempt })
  expect(again.status).toBe(200)
  expect(again.body.attempt).toEqual(first.body.attempt)
  const other = { start: old, ...attempt, actual_time: round.target_time + 1 }
  expect((await guest.post('/api/attempts', other)).body).toMatchObject({ code: 'round_already_played' })
})

test.each([
  ['too fast', -3_600_000],
  ['expired', 3_600_000],
])('an attempt that seems %s counts when the clock, read anew, says otherwise', async (_, wrongByMs) => {
  let offMs = wrongByMs
  const beat = vi.fn(async () => {
    offMs = 0
  })
  const identity = newGuest()
  const round = rounds.next(identity.player, identity.last)
  const { start, target_time } = rounds.start(round, STARTED)
  const deps = services(beat, at => at + offMs)
  const body = { start, username: 'Clocked', actual_time: target_time }
  const outcome = await record(
    deps,
    { player: identity.player, identity },
    rounds.readStart(start),
    body,
    STARTED + round.targetMs,
  )
  expect(outcome).toMatchObject({ kind: 'recorded', reason: null })
  expect(beat).toHaveBeenCalledOnce()
})

test('a stamp from the future verifies nothing', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const start = startedAt(round, Date.now() + 60_000)
  const { body } = await guest.post<Recorded>('/api/attempts', {
    start,
    username: 'Ahead',
    actual_time: round.target_time,
  })
  expect(body).toMatchObject({ verified: false, reason: 'clock' })
})

test('a miss that is too fast is marked as well', async () => {
  const guest = world.newcomer()
  const { round } = await guest.session()
  const { body } = await guest.play(round, 3_000)
  expect(toMs(body.attempt.difference)).toBe(3_000)
  expect(body).toMatchObject({ verified: false, reason: 'clock', prize: null })
})

async function taps(): Promise<number> {
  return (await world.newcomer().get<{ taps: number }>('/api/prize-pool')).body.taps
}
