import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AttemptBody, Recorded, Start, StartBody } from '../contract/api.ts'
import type { Answer } from './api.ts'
import { createOutbox } from './outbox.ts'
import { recorded } from './testing/game.ts'
import { memoryStorage } from './testing/memoryStorage.ts'
import { problem } from './testing/problem.ts'
import { soon } from './testing/soon.ts'
import type { Unsent } from './unsent.ts'

const UNSENT: Unsent = { round: 'r1', start: null, username: 'ola', target_ms: 3_210, actual_ms: 3_248 }
const ROUND = { token: 'r2', target_time: 1.5 }
const RECORDED = recorded({ round: ROUND })
const STARTED: StartBody = { round: 'r1', username: 'ola' }
const NO_RETRY = () => undefined
/** A page that shows a press in the same moment. */
const AT_ONCE = () => Promise.resolve()

/** A server that answers each attempt with the next of `answers`, and remembers what it was sent. */
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
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('the start that was asked for at Start is the one the attempt carries', async () => {
  const server = serverWith([RECORDED])
  const outbox = createOutbox(server, memoryStorage(), AT_ONCE)
  void outbox.start(STARTED, performance.now(), new AbortController().signal)
  expect(await soon(outbox.send(UNSENT, NO_RETRY))).toEqual(RECORDED)
  expect(server.starts).toEqual([STARTED])
  expect(server.attempts).toEqual([{ start: 'start of r1', username: 'ola', actual_time: 3.248 }])
})

test('an attempt left over from an earlier page asks for its start first, by its name', async () => {
  const server = serverWith([RECORDED])
  await soon(createOutbox(server, memoryStorage(), AT_ONCE).send(UNSENT, NO_RETRY))
  expect(server.starts).toEqual([STARTED])
})

test('an attempt is kept until it is recorded, and sent again after a failure', async () => {
  const storage = memoryStorage()
  const server = serverWith([problem('unavailable'), RECORDED])
  const outbox = createOutbox(server, storage, AT_ONCE)
  const keptAtRetry: (Unsent | null)[] = []
  await soon(outbox.send(UNSENT, () => keptAtRetry.push(outbox.leftOver())))
  expect(keptAtRetry).toEqual([{ ...UNSENT, start: 'start of r1' }])
  expect(server.attempts).toHaveLength(2)
  expect(outbox.leftOver()).toBeNull()
})

test('an attempt whose Start does not arrive is said to be kept as well, and nothing before there is one', async () => {
  const server = serverWith([RECORDED])
  const startRound = vi.fn(server.startRound)
  for (let lost = 0; lost < 4; lost += 1) startRound.mockResolvedValueOnce(problem('unavailable'))
  const outbox = createOutbox({ ...server, startRound }, memoryStorage(), AT_ONCE)
  void outbox.start(STARTED, performance.now(), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(1_000)
  const failures: number[] = []
  await soon(outbox.send(UNSENT, failed => failures.push(failed)))
  expect(failures).toEqual([3, 4].slice(-failures.length))
  expect(failures.at(-1)).toBe(4)
})

test('neither a Start nor an attempt is sent before its press is shown, and an attempt is kept at once', async () => {
  let show = (): void => undefined
  const shown = () =>
    new Promise<void>(resolve => {
      show = resolve
    })
  const server = serverWith([RECORDED])
  const outbox = createOutbox(server, memoryStorage(), shown)
  void outbox.start(STARTED, performance.now(), new AbortController().signal)
  await vi.runAllTimersAsync()
  expect(server.starts).toEqual([])
  show()
  await vi.runAllTimersAsync()
  expect(server.starts).toEqual([STARTED])

  const answer = outbox.send(UNSENT, NO_RETRY)
  await vi.runAllTimersAsync()
  expect(server.attempts).toEqual([])
  expect(outbox.leftOver()).toEqual(UNSENT)
  show()
  expect(await soon(answer)).toEqual(RECORDED)
})

test('an attempt that cannot be recorded is dropped, and the refusal handed on', async () => {
  const server = serverWith([{ ...problem('round_already_played'), round: ROUND }])
  const outbox = createOutbox(server, memoryStorage(), AT_ONCE)
  expect(await soon(outbox.send(UNSENT, NO_RETRY))).toMatchObject({
    code: 'round_already_played',
    round: ROUND,
  })
  expect(outbox.leftOver()).toBeNull()
})

test('an attempt whose Start was answered promptly leaves at once', async () => {
  const server = serverWith([RECORDED])
  const outbox = createOutbox(server, memoryStorage(), AT_ONCE)
  void outbox.start(STARTED, performance.now(), new AbortController().signal)
  await outbox.send(UNSENT, NO_RETRY)
  expect(server.attempts).toHaveLength(1)
})

test.each([
  ['was long under way', 0, 3_300],
  ['reached the page long after the press, because it was busy', 1_500, 0],
])('an attempt whose Start %s waits until it cannot look too fast', async (_, busyMs, underWayMs) => {
  const server = serverWith([RECORDED])
  const slow = {
    ...server,
    startRound: async (start: StartBody) => {
      await new Promise(resolve => setTimeout(resolve, underWayMs))
      return server.startRound(start)
    },
  }
  const outbox = createOutbox(slow, memoryStorage(), AT_ONCE)
  const pressedAt = performance.now()
  await vi.advanceTimersByTimeAsync(busyMs)
  void outbox.start(STARTED, pressedAt, new AbortController().signal)
  await vi.advanceTimersByTimeAsync(UNSENT.actual_ms - busyMs)
  const answer = outbox.send(UNSENT, NO_RETRY)
  await vi.advanceTimersByTimeAsync(busyMs + underWayMs + 2_700 - UNSENT.actual_ms)
  expect(server.attempts).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(50)
  expect(server.attempts).toHaveLength(1)
  expect(await answer).toEqual(RECORDED)
})
