import { describe, expect, test, vi } from 'vitest'
import type { Attempt, PrizePool } from '../../contract/api.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { rounds } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { newGuest } from '../callers/authenticator.ts'
import { record } from './play.ts'

const world = openWorld({ clockToleranceMs: 750 })

const STARTED = 1_700_000_000_000

/** Prepares a guest's perfect attempt. The test chooses when Stop arrives, by the database's clock. */
function perfectAttempt(poll: () => Promise<void> = async () => undefined, timeAt = (at: number) => at) {
  const state = newGuest()
  const { playerId, lastAttempt } = state
  const round = rounds.next(playerId, lastAttempt)
  const { start, target_time } = rounds.start(round, STARTED)
  const { play, live } = world.game.app
  const deps = { ...play, poller: { poll, clock: { now: () => live.poller.clock.now(), timeAt } } }
  /** Records the attempt as if Stop arrived this long after Start. */
  const send = async (elapsedMs: number, actual_time = target_time) => {
    const { outcome } = await record(deps, {
      caller: { playerId, state },
      round: rounds.readStart(start),
      body: { start, username: 'Clocked', actual_time },
      receivedAt: STARTED + elapsedMs,
      rereadState: async () => state,
    })
    return outcome
  }
  return { send, targetMs: round.targetMs }
}

describe('a perfect attempt', () => {
  test.each<[string, (targetMs: number) => number, boolean]>([
    ['is verified when the server measured the time that the attempt claims', targetMs => targetMs, true],
    [
      'is verified when the server measured 750 ms less than claimed, which is the tolerance',
      targetMs => targetMs - 750,
      true,
    ],
    ['is not verified when the server measured 751 ms less than claimed', targetMs => targetMs - 751, false],
    ['is not verified when no time has passed since Start', () => 0, false],
    ['is not verified when the timestamp of Start is in the future', () => -60_000, false],
    ["is verified when it arrives exactly at the end of its round's lifetime", () => ROUND_LIFETIME_MS, true],
  ])('%s', async (_, elapsedMs, verified) => {
    const { send, targetMs } = perfectAttempt()
    expect(await send(elapsedMs(targetMs))).toMatchObject({
      kind: 'recorded',
      attempt: { verified },
      reason: verified ? null : 'clock',
      prize: verified ? { taps: expect.any(Number) } : null,
    })
  })
})

test('adds a TAP to the pool for an impossibly fast attempt, but grants no win and gives the reason', async () => {
  const guest = world.newcomer()
  const taps = async () => (await guest.get<PrizePool>('/api/prize-pool')).body.taps
  let { round } = await guest.session()
  // Looks for a target of at least 3 s. Start and Stop may be 2 s apart on a slow machine.
  while (round.target_time < 3) round = (await guest.play(round, 3_000)).body.round
  const before = await taps()
  const { status, body } = await guest.play(round, 0)
  expect(status).toBe(201)
  expect(body).toMatchObject({ verified: false, reason: 'clock', prize: null })
  expect(body.attempt).toMatchObject({ verified: false, won_taps: null, taps_added: 1 })
  expect(await taps()).toBe(before + 1)
})

test('leaves an attempt unverified when it is sent again after enough time has passed', async () => {
  const { send } = perfectAttempt()
  const first = await send(0)
  expect(first).toMatchObject({ kind: 'recorded', attempt: { verified: false, won_taps: null } })
  const { attempt } = first as { attempt: Attempt }
  expect(await send(60_000)).toEqual({ kind: 'repeated', attempt, reason: 'clock' })
})

test('accepts a new attempt up to ten minutes after Start, and a recorded attempt at any time', async () => {
  const { send, targetMs } = perfectAttempt()
  expect(await send(ROUND_LIFETIME_MS + 1)).toEqual({ kind: 'round_expired' })
  await send(ROUND_LIFETIME_MS)
  expect(await send(ROUND_LIFETIME_MS + 1)).toMatchObject({ kind: 'repeated', reason: null })
  const other = await send(ROUND_LIFETIME_MS + 1, (targetMs + 1) / 1_000)
  expect(other).toEqual({ kind: 'round_already_played' })
})

test.each([
  ['too fast', -3_600_000],
  ['expired', 3_600_000],
])(
  'reads the database clock again when an attempt seems %s, and then verifies the attempt',
  async (_, wrongByMs) => {
    let offMs = wrongByMs
    const poll = vi.fn(async () => {
      offMs = 0
    })
    const { send, targetMs } = perfectAttempt(poll, at => at + offMs)
    expect(await send(targetMs)).toMatchObject({ kind: 'recorded', reason: null })
    expect(poll).toHaveBeenCalledOnce()
  },
)
