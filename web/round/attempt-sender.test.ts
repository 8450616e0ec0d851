import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AttemptBody, Start, StartBody } from '../../contract/api.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { MESSAGES } from '../messages.ts'
import type { Recorded, Session } from '../net/answers.ts'
import { type Answer, pageProblem } from '../net/api.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { PENDING, RECORD, recorded } from '../testing/game.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { problem } from '../testing/problem.ts'
import { createAttemptSender } from './attempt-sender.ts'
import type { PendingAttempt } from './pending-attempt.ts'

const ROUND = { token: 'r2', target_time: 1.5 }
const RECORDED = recorded({ round: ROUND })
const STARTED: StartBody = { round: 'r1', username: 'ola' }
const SESSION: Session = {
  user: null,
  rank: null,
  prize: { taps: 4, held_until: null, held_seconds: 60 },
  round: ROUND,
  record: RECORD,
}
const STRANGER = pageProblem('stranger', '')
const IGNORE_RETRIES = () => undefined
/** Simulates a page that paints a press immediately. */
const PAINTED = () => Promise.resolve()

type Server = Parameters<typeof createAttemptSender>[0]['api']

function senderTo(api: Server, { storage = memoryStorage(), painted = PAINTED } = {}) {
  return createAttemptSender({ api, storage, painted, onSend: () => undefined })
}

/** Returns a server that answers attempts with `answers` in order, and records what it receives. */
function serverWith(answers: Answer<Recorded>[]) {
  const starts: StartBody[] = []
  const attempts: AttemptBody[] = []
  return {
    starts,
    attempts,
    startRound: async (start: StartBody): Promise<Answer<Start>> => {
      starts.push(start)
      return { ok: true, body: { start: `start of ${start.round}`, target_time: 3.21 } }
    },
    recordAttempt: async (attempt: AttemptBody) => {
      attempts.push(attempt)
      return answers.shift() ?? problem('not_found')
    },
    session: async (): Promise<Answer<Session>> => ({ ok: true, body: SESSION }),
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('sends an attempt with the start token of its Start, immediately when Start was answered promptly', async () => {
  const server = serverWith([RECORDED])
  const sender = senderTo(server)
  void sender.start(STARTED, performance.now(), new AbortController().signal)
  expect(await sender.send(PENDING, IGNORE_RETRIES)).toEqual(RECORDED)
  expect(server.starts).toEqual([STARTED])
  expect(server.attempts).toEqual([{ start: 'start of r1', username: 'ola', actual_time: 3.248 }])
})

test('requests a start token first for an attempt left by an earlier page', async () => {
  const server = serverWith([RECORDED])
  await afterTimers(senderTo(server).send(PENDING, IGNORE_RETRIES))
  expect(server.starts).toEqual([STARTED])
})

test('keeps an attempt until it is recorded, and sends it again after a failure', async () => {
  const storage = memoryStorage()
  const server = serverWith([problem('unavailable'), RECORDED])
  const sender = senderTo(server, { storage })
  const keptAtRetry: (PendingAttempt | null)[] = []
  await afterTimers(sender.send(PENDING, () => keptAtRetry.push(sender.leftOver())))
  expect(keptAtRetry).toEqual([{ ...PENDING, start: 'start of r1' }])
  expect(server.attempts).toHaveLength(2)
  expect(sender.leftOver()).toBeNull()
})

test('reports failures of a Start only once an attempt waits for that Start', async () => {
  const server = serverWith([RECORDED])
  const startRound = vi.fn(server.startRound)
  for (let lost = 0; lost < 4; lost += 1) startRound.mockResolvedValueOnce(problem('unavailable'))
  const sender = senderTo({ ...server, startRound })
  void sender.start(STARTED, performance.now(), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(1_000)
  const failures: number[] = []
  await afterTimers(sender.send(PENDING, failed => failures.push(failed)))
  expect(failures).toEqual([3, 4].slice(-failures.length))
  expect(failures.at(-1)).toBe(4)
})

test('stores an attempt immediately, and sends nothing before the press is painted', async () => {
  let paint = (): void => undefined
  const painted = () =>
    new Promise<void>(resolve => {
      paint = resolve
    })
  const server = serverWith([RECORDED])
  const sender = senderTo(server, { painted })
  void sender.start(STARTED, performance.now(), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.starts).toEqual([])
  paint()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.starts).toEqual([STARTED])

  const answer = sender.send(PENDING, IGNORE_RETRIES)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.attempts).toEqual([])
  expect(sender.leftOver()).toEqual(PENDING)
  paint()
  expect(await afterTimers(answer)).toEqual(RECORDED)
})

test('removes a refused attempt and returns the problem', async () => {
  const server = serverWith([{ ...problem('round_already_played'), round: ROUND }])
  const sender = senderTo(server)
  expect(await afterTimers(sender.send(PENDING, IGNORE_RETRIES))).toMatchObject({
    code: 'round_already_played',
    round: ROUND,
  })
  expect(sender.leftOver()).toBeNull()
})

test.each([
  ['the answer to Start took long', 0, 3_300],
  ['the page was busy at Start', 1_500, 0],
])('delays an attempt until it cannot look too fast when %s', async (_, busyMs, answerMs) => {
  const server = serverWith([RECORDED])
  const slow = {
    ...server,
    startRound: async (start: StartBody) => {
      await new Promise(resolve => setTimeout(resolve, answerMs))
      return server.startRound(start)
    },
  }
  const sender = senderTo(slow)
  const pressedAt = performance.now()
  await vi.advanceTimersByTimeAsync(busyMs)
  void sender.start(STARTED, pressedAt, new AbortController().signal)
  await vi.advanceTimersByTimeAsync(PENDING.actual_ms - busyMs)
  const answer = sender.send(PENDING, IGNORE_RETRIES)
  await vi.advanceTimersByTimeAsync(busyMs + answerMs + 2_700 - PENDING.actual_ms)
  expect(server.attempts).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(50)
  expect(server.attempts).toHaveLength(1)
  expect(await answer).toEqual(RECORDED)
})

test('gives up when strangers have answered for ten minutes, and never because nothing came back', async () => {
  const storage = memoryStorage()
  let answer = STRANGER
  const server = { ...serverWith([]), recordAttempt: async () => answer }
  const sender = senderTo(server, { storage })
  const sent = vi.fn()
  void sender.send(PENDING, IGNORE_RETRIES).then(sent)
  await vi.advanceTimersByTimeAsync(ROUND_LIFETIME_MS - 10_000)
  answer = pageProblem('network', '')
  await vi.advanceTimersByTimeAsync(2 * ROUND_LIFETIME_MS)
  answer = STRANGER
  await vi.advanceTimersByTimeAsync(ROUND_LIFETIME_MS - 10_000)
  expect(sent).not.toHaveBeenCalled()
  expect(sender.leftOver()).not.toBeNull()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toHaveBeenCalledExactlyOnceWith(STRANGER)
  expect(sender.leftOver()).toBeNull()
})

describe.each(['Start', 'the attempt'])('when only strangers answer %s,', call => {
  const send = async (rounds: number | null, session: Answer<Session>) => {
    const storage = memoryStorage()
    const ask = vi.fn<() => Promise<typeof STRANGER>>(async () => STRANGER)
    const replaced = call === 'Start' ? { startRound: ask } : { recordAttempt: ask }
    const server = { ...serverWith([]), ...replaced, session: async () => session }
    const settled = vi.fn()
    void senderTo(server, { storage })
      .send({ ...PENDING, rounds }, IGNORE_RETRIES)
      .then(settled)
    await vi.advanceTimersByTimeAsync(30_000)
    const kept = storage.getItem('taps-unsent')
    return { answer: settled.mock.lastCall?.[0], calls: ask.mock.calls.length, isKept: kept !== null }
  }
  const sessionAfter = (rounds: number): Answer<Session> => ({
    ok: true,
    body: { ...SESSION, record: { ...RECORD, rounds } },
  })

  test('a larger number of rounds than at Stop means after three answers that the round has ended', async () => {
    expect(await send(10, sessionAfter(11))).toEqual({
      answer: pageProblem('round_already_played', MESSAGES.ended),
      calls: 3,
      isKept: false,
    })
  })

  test.each([
    ['the same number of rounds', 10, sessionAfter(10)],
    ['fewer rounds, as without cookies', 10, sessionAfter(0)],
    ['an unknown number at Stop', null, sessionAfter(11)],
    ['no answer', 10, STRANGER],
  ])('%s keeps the attempt, which is sent again', async (_, rounds, session) => {
    const { answer, calls, isKept } = await send(rounds, session)
    expect([answer, isKept]).toEqual([undefined, true])
    expect(calls).toBeGreaterThan(3)
  })
})
