import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Logger } from '../log.ts'
import { createOutageLog } from './connection-errors.ts'

const MINUTE_MS = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('logs one line immediately and one line each minute, without a stack, until the database is back', () => {
  const written = vi.fn()
  const { logMethod, end } = createOutageLog()
  const log = (...args: [unknown, ...unknown[]]) => logMethod.call({} as Logger, args, written)
  const full = Object.assign(new Error('No space left on device'), { code: '53100' })
  const line = [{ reason: 'No space left on device' }, expect.any(String)]
  for (let n = 0; n < 100; n += 1) log({ err: full }, 'a request could not be served')
  expect(written.mock.calls).toEqual([line])
  vi.advanceTimersByTime(MINUTE_MS - 1)
  log({ err: full })
  expect(written.mock.calls).toEqual([line])
  vi.advanceTimersByTime(1)
  log({ err: full })
  expect(written.mock.calls).toEqual([line, line])
  end()
  log({ err: full })
  log({ err: new Error('a server error') }, 'a request failed')
  expect(written.mock.calls.slice(2)).toEqual([line, [{ err: expect.any(Error) }, 'a request failed']])
})
