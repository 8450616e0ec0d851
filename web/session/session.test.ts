import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '../net/answers.ts'
import type { Answer, Api } from '../net/api.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { RECORD, recorded } from '../testing/game.ts'
import { later } from '../testing/later.ts'
import { problem } from '../testing/problem.ts'
import { holdLeftMs, keepSession } from './session.ts'

const ROUND = { token: 'token', target_time: 3.21 }
const NEXT = { token: 'next', target_time: 1.5 }
const USER = { id: 7, username: 'Ada', taps_balance: 3 }
const GUEST: Session = { user: null, rank: null, prize: null, round: ROUND, record: RECORD }
/** A guest's session as the page keeps it, without a hold. */
const KEPT = { ...GUEST, holdEndsAt: null, lostTaps: null }
const HELD = { taps: 4, held_until: '2026-11-22T12:00:00.000Z', held_seconds: 900 }
const OWN = { taps: 4, held_until: null, held_seconds: null }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const answered = (session: Session): Answer<Session> => ({ ok: true, body: session })

async function loaded(session: Session = GUEST) {
  const request = vi.fn<Api['session']>(async () => answered(session))
  const keeper = keepSession({ session: request })
  await keeper.load()
  return { request, keeper, state: () => keeper.state.get() }
}

describe('loading', () => {
  test('continues until a session arrives, and marks the server as unreachable', async () => {
    const request = vi.fn<Api['session']>(async () => problem('not_found'))
    const keeper = keepSession({ session: request })
    expect(keeper.state.get()).toEqual({ session: null, waiting: null })
    void keeper.load()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(keeper.state.get()).toEqual({ session: null, waiting: 'unreachable' })
    expect(request.mock.calls.length).toBeGreaterThan(5)
    request.mockResolvedValue(answered(GUEST))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(keeper.state.get()).toEqual({ session: KEPT, waiting: null })
  })

  test('waits as long as the server asks when too many people join, and says until when', async () => {
    const queued = { ...problem('too_many_requests'), retryAfterMs: 7_000 }
    const request = vi.fn<Api['session']>(async () => answered(GUEST)).mockResolvedValueOnce(queued)
    const keeper = keepSession({ session: request })
    const triesAt = performance.now() + 7_000
    void keeper.load()
    await vi.advanceTimersByTimeAsync(6_999)
    expect(keeper.state.get()).toMatchObject({ session: null, waiting: triesAt })
    await vi.advanceTimersByTimeAsync(1)
    expect(keeper.state.get()).toEqual({ session: KEPT, waiting: null })
  })
})

describe('the hold of a guest', () => {
  test('never lasts longer than the server says, even when the clock reading is older than the session', () => {
    const held = { ...KEPT, prize: HELD, holdEndsAt: 901_000 }
    expect(holdLeftMs(held, 200)).toBe(900_000)
    expect(holdLeftMs(held, 2_000)).toBe(899_000)
    expect(holdLeftMs({ ...KEPT, prize: OWN }, 200)).toBeNull()
  })

  test('ends when the server says, with a notice until the session is refetched five seconds later', async () => {
    const { request, keeper, state } = await loaded({ ...GUEST, prize: HELD })
    const holdEndsAt = performance.now() + 900_000
    await vi.advanceTimersByTimeAsync(5_000)
    keeper.takeRound(NEXT)
    const kept = { ...KEPT, round: NEXT }
    await vi.advanceTimersByTimeAsync(894_999)
    expect(state().session).toEqual({ ...kept, prize: HELD, holdEndsAt })
    await vi.advanceTimersByTimeAsync(1)
    expect(state().session).toEqual({ ...kept, lostTaps: 4 })
    await vi.advanceTimersByTimeAsync(4_999)
    expect(request).toHaveBeenCalledOnce()
    request.mockResolvedValue(answered(GUEST))
    await vi.advanceTimersByTimeAsync(10_000_000)
    expect(state().session).toEqual(KEPT)
    expect(request).toHaveBeenCalledTimes(2)
  })

  test('causes no immediate refetch when it lasts longer than a browser timer can, 24 days', async () => {
    const { request } = await loaded({ ...GUEST, prize: { ...HELD, held_seconds: 86_400 * 60 } })
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(request).toHaveBeenCalledOnce()
  })

  test('never ends once the guest has logged in', async () => {
    const { request, keeper, state } = await loaded({ ...GUEST, prize: HELD })
    keeper.signedIn({ user: USER, prize: OWN, round: NEXT })
    expect(state()).toMatchObject({
      session: { user: USER, prize: OWN, round: NEXT, rank: 'unknown', holdEndsAt: null },
    })
    await vi.advanceTimersByTimeAsync(10_000_000)
    expect(request).toHaveBeenCalledOnce()
  })
})

test('takes the record from each answer, and does not know it after a login until the session brings it', async () => {
  const recordOf = (rounds: number) => ({ rounds, best: 0.02, streak: 1 })
  const [loadedWith, recordedWith, readAgain] = [recordOf(3), recordOf(4), recordOf(5)]
  const { request, keeper, state } = await loaded({ ...GUEST, record: loadedWith })
  expect(state().session?.record).toBe(loadedWith)
  keeper.recorded({ ...recorded().body, record: recordedWith })
  expect(state().session?.record).toBe(recordedWith)
  keeper.signedIn({ user: USER, prize: null, round: NEXT })
  expect(state().session?.record).toBeUndefined()
  request.mockResolvedValueOnce(answered({ ...GUEST, user: USER, record: readAgain }))
  await keeper.refetch()
  expect(state().session?.record).toBe(readAgain)
})

test('shows the new balance, no prize and an unknown rank after a claim', async () => {
  const { keeper, state } = await loaded({ user: USER, rank: 12, prize: OWN, round: ROUND, record: RECORD })
  const user = { ...USER, taps_balance: 7 }
  keeper.claimed({ taps: 4, user })
  expect(state().session).toMatchObject({ user, rank: 'unknown', prize: null, round: ROUND })
})

test('drops an answer that was requested before a change or before another request', async () => {
  const { request, keeper, state } = await loaded()
  const newer = () => {
    request.mockResolvedValueOnce(answered({ ...GUEST, rank: 4 }))
    return keeper.refetch()
  }
  for (const change of [() => keeper.takeRound(NEXT), () => keeper.claimed({ taps: 0, user: USER }), newer]) {
    const answer = later<Answer<Session>>()
    request.mockReturnValueOnce(answer.promise)
    const read = keeper.refetch()
    await change()
    answer.resolve(answered({ ...GUEST, rank: 5 }))
    await read
    expect(state().session?.rank).not.toBe(5)
  }
  expect(state().session?.rank).toBe(4)
})

test('requests the session again when its answer is lost', async () => {
  const { request, keeper, state } = await loaded()
  request.mockResolvedValueOnce(problem('unavailable')).mockResolvedValue(answered({ ...GUEST, rank: 5 }))
  await afterTimers(keeper.refetch())
  expect(state().session?.rank).toBe(5)
})

test('keeps loading after a logout until a session arrives', async () => {
  const { request, keeper, state } = await loaded({ ...GUEST, user: USER })
  request.mockResolvedValueOnce(problem('unavailable')).mockResolvedValueOnce(problem('unavailable'))
  const renewed = keeper.renew()
  await vi.advanceTimersByTimeAsync(0)
  expect(state().session).toBeNull()
  request.mockResolvedValue(answered(GUEST))
  await afterTimers(renewed)
  expect(state().session).toEqual(KEPT)
})

test.each([
  ['keeps the round of a refusal for the same user', GUEST, NEXT],
  ['takes the round of another user', { ...GUEST, user: USER }, ROUND],
])('a refetch %s', async (_, answer, round) => {
  const { request, keeper, state } = await loaded()
  request.mockResolvedValue(answered(answer))
  expect(await keeper.refetch(NEXT)).toEqual(answer)
  expect(state().session).toMatchObject({ ...answer, round })
})
