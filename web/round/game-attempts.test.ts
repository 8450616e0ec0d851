import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MESSAGES } from '../messages.ts'
import type { Recorded } from '../net/answers.ts'
import type { Answer } from '../net/api.ts'
import { GUEST, gameRig, PENDING, ROUND, recorded } from '../testing/game.ts'
import { later } from '../testing/later.ts'
import { problem } from '../testing/problem.ts'

const NEXT = { token: 'next', target_time: 1.5 }
const POOL = { taps: 23, last_win: null }
const DONE = { ok: true, body: null } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a game with an attempt in flight, and a function that answers the attempt. */
async function sendingRig(session = GUEST) {
  const rig = gameRig(session)
  rig.pool.set(POOL)
  const { promise, resolve } = later<Answer<Recorded>>()
  rig.sender.send.mockReturnValue(promise)
  rig.game.press(0)
  rig.game.press(3_200)
  const answer = async (body: Answer<Recorded>) => {
    resolve(body)
    await vi.advanceTimersByTimeAsync(0)
  }
  const onRetry = (failures: number) => rig.sender.send.mock.calls[0]?.[1](failures)
  return { ...rig, answer, onRetry }
}

describe('an attempt in flight', () => {
  test('shows a message from its second failure until recorded', async () => {
    const { answer, onRetry, sender, shown } = await sendingRig()
    onRetry(1)
    expect(shown().message).toBeNull()
    onRetry(2)
    expect(shown().message, 'nothing is stored').toBe(MESSAGES.notSaved)
    sender.leftOver.mockReturnValue({ ...PENDING, round: ROUND.token })
    onRetry(3)
    expect(shown().message).toBe(MESSAGES.retrying)
    await answer(recorded())
    expect(shown()).toMatchObject({ sendingSince: null, message: null })
  })

  test('keeps the pool as it was at Stop, and the first winner since', async () => {
    const { game, pool, shown } = gameRig()
    const win = (username: string, second: number) => {
      const created_at = `2026-01-01T00:00:0${second}.000Z`
      return { username, is_guest: true, won_taps: 24, created_at }
    }
    const atStop = { taps: 23, last_win: win('ola', 1) }
    pool.set(atStop)
    game.press(0)
    pool.set({ taps: 0, last_win: win('before Stop', 2) })
    pool.set({ ...atStop, last_win: win('before Stop', 2) })
    game.press(3_200)
    pool.set({ taps: 24, last_win: win('before Stop', 2) })
    expect(shown().against).toMatchObject({ poolAtStop: { taps: 23 }, taker: null })
    // The last win is deleted, so an older one is the last.
    pool.set({ taps: 24, last_win: win('ola', 1) })
    expect(shown().against?.taker).toBeNull()
    pool.set({ taps: 0, last_win: win('mira', 3) })
    pool.set({ taps: 0, last_win: win('dunja', 4) })
    game.show('login')
    game.show('main')
    expect(shown().against).toMatchObject({ poolAtStop: { taps: 23 }, taker: { username: 'mira' } })
  })

  test.each([
    ['the clocks disagree', recorded({ reason: 'clock' }), MESSAGES.clock],
    [
      'only strangers answered for too long',
      { ...problem('unavailable'), code: 'stranger' },
      MESSAGES.unanswered,
    ],
  ] as const)('shows why it does not count when %s', async (_, body, message) => {
    const { answer, shown } = await sendingRig()
    await answer(body)
    expect(shown()).toMatchObject({ message, sendingSince: null })
  })

  test.each([
    ['not verified', recorded({ verified: false, reason: 'clock' })],
    ['refused', problem('bad_username')],
  ] as const)('is compared with nothing when it is %s, also after its message has gone', async (_, body) => {
    const { answer, game, shown } = await sendingRig({
      ...GUEST,
      record: { rounds: 3, best: 0.5, streak: 0 },
    })
    expect(shown().against).toMatchObject({ bestBeforeMs: 500, poolAtStop: POOL })
    await answer(body)
    await game.changeAccount(async () => DONE)
    expect(shown()).toMatchObject({ message: null, against: null, round: { phase: 'stopped' } })
  })

  test('is sent with the number of rounds that were recorded before it', async () => {
    const { sender } = await sendingRig({ ...GUEST, record: { rounds: 3, best: null, streak: 0 } })
    expect(sender.send.mock.lastCall?.[0]).toMatchObject({ rounds: 3 })
  })

  test('keeps its result in view and takes the new round when refused', async () => {
    const { answer, session, page, shown } = await sendingRig()
    await answer({ ...problem('round_already_played'), round: NEXT })
    const message = problem('round_already_played').title
    expect(shown()).toMatchObject({ message, sendingSince: null, round: { phase: 'stopped' } })
    expect(session.takeRound).toHaveBeenCalledExactlyOnceWith(NEXT)
    expect(session.refetch).toHaveBeenCalledExactlyOnceWith(NEXT)
    expect(page.onRecorded).not.toHaveBeenCalled()
    expect(page.onRefused).toHaveBeenCalledOnce()
  })
})

describe('an account change', () => {
  test('ends the run, blocks the next run, and clears the message unless refused', async () => {
    const { game, shown } = gameRig()
    game.press(0)
    const { promise, resolve } = later<typeof DONE>()
    expect(await game.changeAccount(async () => problem('invalid_password'))).toMatchObject({ ok: false })
    const change = game.changeAccount(() => promise)
    expect(shown()).toMatchObject({ changing: true, message: MESSAGES.interrupted, round: { phase: 'idle' } })
    game.press(1_000)
    expect(shown().round.phase).toBe('idle')
    resolve(DONE)
    expect(await change).toBe(DONE)
    expect(shown()).toMatchObject({ changing: false, message: null })
    game.press(2_000)
    expect(shown().round.phase).toBe('running')
  })

  test('waits for an attempt in flight, and is refused after 5 s', async () => {
    const { game, answer, shown } = await sendingRig()
    const change = vi.fn(async () => DONE)
    const refused = game.changeAccount(change)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await refused).toMatchObject({ ok: false, title: MESSAGES.onItsWay })
    expect(shown()).toMatchObject({ sendingSince: 3_200, changing: false })
    void game.changeAccount(change)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(change).not.toHaveBeenCalled()
    await answer(recorded())
    expect(change).toHaveBeenCalledOnce()
  })

  test('meets a dare when it is verified, until the next Stop', async () => {
    const dare = { kind: 'result', by: 'mira', differenceMs: 130 } as const
    const { answer, game, page, shown } = await sendingRig()
    page.meetDare.mockReturnValue(dare)
    await answer(recorded())
    expect(page.meetDare).toHaveBeenCalledExactlyOnceWith(38)
    expect(shown().against?.dare).toBe(dare)
    game.press(5_000)
    game.press(8_000)
    expect(shown().against?.dare).toBeNull()
  })

  test('meets no dare when it is not verified', async () => {
    const { answer, page } = await sendingRig()
    await answer(recorded({ verified: false, reason: 'clock' }))
    expect(page.meetDare).not.toHaveBeenCalled()
  })
})
