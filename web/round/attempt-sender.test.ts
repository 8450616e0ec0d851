import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Attempt, AttemptBody, Start, StartBody } from '../../contract/api.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { MESSAGES } from '../messages.ts'
import type { MyAttemptList, Recorded, Session } from '../net/answers.ts'
import { type Answer, pageProblem } from '../net/api.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { ATTEMPT, PENDING, RECORD, recorded } from '../testing/game.ts'
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
const listOf = (...attempts: Attempt[]): Answer<MyAttemptList> => ({
  ok: true,
  body: { attempts, record: RECORD },
})
const IGNORE_RETRIES = () => undefined
/** Simulates a page that paints a press immediately. */
const PAINTED = () => Promise.resolve()

type Server = Parameters<typeof createAttemptSender>[0]['api']

function senderTo(api: Server, { storage = memoryStorage(), painted = PAINTED } = {}) {
  return createAttemptSender({ api, storage, painted, onSend: () => undefined })
}

/** Returns a server that answers attempts with `answers` in order, and records what it receives. */
function serverWith(answers: Answer<Recorded>[], own: Answer<MyAttemptList> = listOf()) {
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
    myAttempts: async () => own,
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

const OWN = { ...ATTEMPT, won_taps: 4 }
const RECORDED_NOW = {
  attempt: OWN,
  verified: true,
  reason: null,
  prize: SESSION.prize,
  round: ROUND,
  record: RECORD,
}
const OTHER = { ...ATTEMPT, actual_time: 2 }

describe.each(['Start', 'the attempt'])(
  "when only strangers answer %s, the player's attempts decide after three answers:",
  call => {
    const send = async (own: Answer<MyAttemptList>, after: number | null = 10) => {
      const storage = memoryStorage()
      const server = serverWith([STRANGER, STRANGER, STRANGER], own)
      const ask = vi.fn<() => Promise<typeof STRANGER>>(async () => STRANGER)
      const replaced = call === 'Start' ? { startRound: ask } : { recordAttempt: ask }
      const answer = senderTo({ ...server, ...replaced }, { storage }).send(
        { ...PENDING, after },
        IGNORE_RETRIES,
      )
      const settled = vi.fn()
      void answer.then(settled)
      await vi.advanceTimersByTimeAsync(30_000)
      return {
        answer: settled.mock.lastCall?.[0],
        calls: ask.mock.calls.length,
        kept: storage.getItem('taps-unsent'),
      }
    }

    test('a newer one with the same target and time was recorded', async () => {
      expect(await send(listOf(OTHER, OWN))).toEqual({
        answer: { ok: true, body: RECORDED_NOW },
        calls: 3,
        kept: null,
      })
      expect(await send(listOf(OWN), null)).toMatchObject({ answer: { ok: true }, calls: 3, kept: null })
    })

    test('another newer one means that another tab has played this round', async () => {
      const answer = { code: 'round_already_played', title: MESSAGES.overtaken }
      expect(await send(listOf(OTHER))).toMatchObject({ answer, calls: 3, kept: null })
    })

    test.each<[string, Answer<MyAttemptList>, number | null]>([
      ['nothing newer', listOf(OWN), 11],
      ['no attempts', listOf(), 0],
      ['others, without a last known one,', listOf(OTHER, OWN), null],
      ['no answer', STRANGER, 10],
    ])('%s keeps the attempt, which is sent again', async (_, own, after) => {
      const { answer, calls, kept } = await send(own, after)
      expect([answer, kept]).toEqual([undefined, expect.stringContaining('r1')])
      expect(calls).toBeGreaterThan(3)
    })
  },
)
