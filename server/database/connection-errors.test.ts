import { expect, onTestFinished, test, vi } from 'vitest'
import { StartError } from '../lib/process.ts'
import type { Logger } from '../log.ts'
import { connectionError, createOutageLog, isTransientError } from './connection-errors.ts'

const MINUTE_MS = 60_000

function withCode(code: string, message = code): Error {
  return Object.assign(new Error(message), { code })
}

test.each([
  withCode('ENOTFOUND'),
  withCode('ECONNREFUSED'),
  withCode('57P03', 'the database system is starting up'),
  withCode('25006', 'cannot execute LISTEN during recovery'),
  withCode('08P01', 'server login has been failing, try again later (server_login_retry)'),
  new Error('timeout expired'),
  new Error('Query read timeout'),
])('treats $message as a transient error', error => {
  expect(isTransientError(error)).toBe(true)
})

test.each([
  [withCode('28P01', 'password authentication failed'), 'password authentication failed'],
  [withCode('CERT_HAS_EXPIRED', 'certificate has expired\nand more'), 'certificate has expired'],
  [Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('0001_tables.sql failed', { cause: withCode('53100', 'No space left') }), 'No space left'],
])('reports the reason and the setting to check in one line: %s', (error, reason) => {
  const line = connectionError(error)
  expect(line).toBeInstanceOf(StartError)
  expect(line.message).toBe(`The database cannot be used (${reason}); check DATABASE_URL`)
})

test('logs one line immediately and one line each minute, without a stack, until the database is back', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
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
