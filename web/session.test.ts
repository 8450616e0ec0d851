import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '../contract/api.ts'
import type { Answer, Api } from './api.ts'
import { holdLeftMs, keepSession } from './session.ts'
import { later } from './testing/later.ts'
import { problem } from './testing/problem.ts'
import { soon } from './testing/soon.ts'

const ROUND = { token: 'token', target_time: 3.21 }
const NEXT = { token: 'next', target_time: 1.5 }
const USER = { id: 7, username: 'Ada', taps_balance: 3 }
const GUEST: Session = { user: null, rank: null, prize: null, round: ROUND }
const HELD = { taps: 4, held_until: '2026-11-22T12:00:00.000Z', held_seconds: 900 }
const OWN = { taps: 4, held_until: null, held_seconds: null }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const came = (session: Session): Answer<Session> => ({ ok: true, body: session })

async function loaded(session: Session = GUEST) {
  const ask = vi.fn<Api['session']>(async () => came(session))
  const keeper = keepSession({ session: ask })
  await keeper.load()
  return { ask, keeper, state: () => keeper.state.get() }
}

describe('loading', () => {
  test('continues until a session arrives, and marks the server as unreachable', async () => {
    const ask = vi.fn<Api['session']>(async () => problem('not_found'))
    const keeper = keepSession({ session: ask })
    expect(keeper.state.get()).toEqual({ session: null, unreachable: false, holdEndsAt: null })
    void keeper.load()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(keeper.state.get()).toEqual({ session: null, unreachable: true, holdEndsAt: null })
    expect(ask.mock.calls.length).toBeGreaterThan(5)
    ask.mockResolvedValue(came(GUEST))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(keeper.state.get()).toEqual({ session: GUEST, unreachable: false, holdEndsAt: null })
  })

  test('changes nothing before a session has arrived', () => {
    const keeper = keepSession({ session: async () => problem('unavailable') })
    keeper.takeRound(NEXT)
    expect(keeper.state.get().session).toBeNull()
  })
})

describe('the hold of a guest', () => {
  test('never has more left than the server says, even by a clock older than its answer', () => {
    expect(holdLeftMs(HELD, 901_000, 200)).toBe(900_000)
    expect(holdLeftMs(HELD, 901_000, 2_000)).toBe(899_000)
    expect(holdLeftMs(OWN, null, 200)).toBeNull()
  })

  test("ends at the server's time on the page’s clock, and refetches a second later", async () => {
    const { ask, state } = await loaded({ ...GUEST, prize: HELD })
    expect(state().holdEndsAt).toBe(performance.now() + 900_000)
    await vi.advanceTimersByTimeAsync(900_999)
    expect(ask).toHaveBeenCalledOnce()
    ask.mockResolvedValue(came(GUEST))
    await vi.advanceTimersByTimeAsync(1)
    expect(state()).toMatchObject({ session: { prize: null }, holdEndsAt: null })
    await vi.advanceTimersByTimeAsync(10_000_000)
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('keeps its time when a change includes no prize', async () => {
    const { keeper, state } = await loaded({ ...GUEST, prize: HELD })
    const { holdEndsAt } = state()
    await vi.advanceTimersByTimeAsync(5_000)
    keeper.takeRound(NEXT)
    expect(state()).toEqual({
      session: { ...GUEST, round: NEXT, prize: HELD },
      unreachable: false,
      holdEndsAt,
    })
  })

  test('sets no immediate timer for weeks, although a browser’s timer takes 24 days', async () => {
    const { ask } = await loaded({ ...GUEST, prize: { ...HELD, held_seconds: 86_400 * 60 } })
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(ask).toHaveBeenCalledOnce()
  })

  test('has no end for a user', async () => {
    const { ask, keeper, state } = await loaded({ ...GUEST, prize: HELD })
    keeper.signedIn({ user: USER, prize: OWN, round: NEXT })
    expect(state()).toMatchObject({ session: { user: USER, prize: OWN, round: NEXT, rank: 'unknown' } })
    expect(state().holdEndsAt).toBeNull()
    await vi.advanceTimersByTimeAsync(10_000_000)
    expect(ask).toHaveBeenCalledOnce()
  })
})

test('takes round and prize from a recorded attempt', async () => {
  const { keeper, state } = await loaded()
  const attempt = { verified: true, reason: null } as Parameters<typeof keeper.recorded>[0]
  keeper.recorded({ ...attempt, prize: HELD, round: NEXT })
  expect(state().session).toEqual({ ...GUEST, prize: HELD, round: NEXT })
})

test('has the new balance, no prize and an unknown rank after a claim', async () => {
  const { keeper, state } = await loaded({ user: USER, rank: 12, prize: OWN, round: ROUND })
  const user = { ...USER, taps_balance: 7 }
  keeper.claimed({ taps: 4, user })
  expect(state().session).toEqual({ user, rank: 'unknown', prize: null, round: ROUND })
})

test('drops an answer older than a later change', async () => {
  const { ask, keeper, state } = await loaded()
  for (const change of [() => keeper.takeRound(NEXT), () => keeper.claimed({ taps: 0, user: USER })]) {
    const answer = later<Answer<Session>>()
    ask.mockReturnValueOnce(answer.promise)
    const read = keeper.refetch()
    change()
    answer.come(came({ ...GUEST, rank: 5 }))
    await read
    expect(state().session).toMatchObject({ round: NEXT })
    expect(state().session?.rank).not.toBe(5)
  }
  ask.mockResolvedValue(came({ ...GUEST, rank: 5 }))
  await keeper.refetch()
  expect(state().session?.rank).toBe(5)
})

test('keeps the answer to the last request, whichever arrives first', async () => {
  const { ask, keeper, state } = await loaded()
  for (const lastIsFirst of [true, false]) {
    const [one, other] = [later<Answer<Session>>(), later<Answer<Session>>()]
    ask.mockReturnValueOnce(one.promise).mockReturnValueOnce(other.promise)
    const read = Promise.all([keeper.refetch(), keeper.refetch()])
    const come = [() => one.come(came({ ...GUEST, rank: 5 })), () => other.come(came({ ...GUEST, rank: 4 }))]
    for (const act of lastIsFirst ? come.toReversed() : come) {
      act()
      await vi.advanceTimersByTimeAsync(0)
    }
    await read
    expect(state().session?.rank).toBe(4)
  }
})

test('keeps the session when a refetch fails', async () => {
  const { ask, keeper, state } = await loaded()
  ask.mockResolvedValue(problem('unavailable'))
  await soon(keeper.refetch())
  expect(state()).toEqual({ session: GUEST, unreachable: false, holdEndsAt: null })
})

test('requests the session again when its answer is lost', async () => {
  const { ask, keeper, state } = await loaded()
  ask.mockResolvedValueOnce(problem('unavailable')).mockResolvedValue(came({ ...GUEST, rank: 5 }))
  await soon(keeper.refetch())
  expect(state().session?.rank).toBe(5)
})

test('loads until a session arrives after a logout', async () => {
  const { ask, keeper, state } = await loaded({ ...GUEST, user: USER })
  await keeper.renew()
  expect(ask).toHaveBeenCalledTimes(2)
  ask.mockResolvedValue(problem('unavailable'))
  const renewed = keeper.renew()
  await vi.advanceTimersByTimeAsync(0)
  expect(state().session).toBeNull()
  ask.mockResolvedValue(came(GUEST))
  await vi.advanceTimersByTimeAsync(5_000)
  await renewed
  expect(state().session).toEqual(GUEST)
})
