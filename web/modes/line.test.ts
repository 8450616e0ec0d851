import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Answer, pageProblem } from '../net/api.ts'
import { problem } from '../testing/problem.ts'
import { createLine, IN_LINE_MS } from './line.ts'

const DONE: Answer<null> = { ok: true, body: null }
const FULL = { ...problem('unavailable'), retryAfterMs: 2_000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function stand(first: Answer<null>) {
  const line = createLine()
  const send = vi.fn(async () => first)
  const left = new AbortController()
  const settled = vi.fn()
  void line.wait(send, left.signal).then(settled)
  return { line, send, left, settled }
}

test('waits in line while the server is full or counts the repeated calls, and is served', async () => {
  const { line, send, settled } = stand(FULL)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([line.reason.get(), settled.mock.calls.length]).toEqual([FULL.title, 0])
  send.mockResolvedValue(problem('too_many_requests'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(line.reason.get(), 'the words of the server').toBe(FULL.title)
  send.mockResolvedValue(DONE)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(settled).toHaveBeenCalledExactlyOnceWith(DONE)
  expect(line.reason.get()).toBeNull()
})

test('waits for five minutes at most, and no longer than the player stays', async () => {
  const patient = stand(FULL)
  const impatient = stand(FULL)
  await vi.advanceTimersByTimeAsync(10_000)
  impatient.left.abort()
  await vi.advanceTimersByTimeAsync(IN_LINE_MS)
  for (const { settled, line } of [patient, impatient]) {
    expect(settled).toHaveBeenCalledExactlyOnceWith(FULL)
    expect(line.reason.get()).toBeNull()
  }
  expect(impatient.send.mock.calls.length).toBeLessThan(patient.send.mock.calls.length)
})

test.each([
  ['a lost answer', pageProblem('network', ''), 3],
  ['a limit', problem('too_many_requests'), 1],
  ['a refusal', problem('username_taken'), 1],
])('does not stand in line for %s', async (_, answer, calls) => {
  const { line, send, settled } = stand(answer)
  await vi.advanceTimersByTimeAsync(IN_LINE_MS)
  expect(settled).toHaveBeenCalledExactlyOnceWith(answer)
  expect([send.mock.calls.length, line.reason.get()]).toEqual([calls, null])
})
