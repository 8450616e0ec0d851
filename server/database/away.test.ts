import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StartError } from '../lib/start-error.ts'
import type { Logger } from '../log.ts'
import { IS_BACK, logOutageOnce, waitForDatabase } from './away.ts'
import { ReadOnly } from './fitness.ts'
import { refusal } from './refusal.ts'

const MINUTE_MS = 60_000

function withCode(code: string, message = code): Error {
  return Object.assign(new Error(message), { code })
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a database that is away', () => {
  test('is tried each second, and one line says so at once and one each minute', async () => {
    const attempt = vi.fn(() => Promise.reject(withCode('ECONNREFUSED')))
    const meanwhile = vi.fn(async () => undefined)
    const warn = vi.fn()
    void waitForDatabase(attempt, meanwhile, { warn })
    await vi.advanceTimersByTimeAsync(1)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith({ reason: 'ECONNREFUSED' }, expect.stringContaining('waiting for it'))
    expect(meanwhile).toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 2_000)
    expect(warn).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
    expect(warn).toHaveBeenCalledTimes(3)
    expect(attempt.mock.calls.length).toBeGreaterThan(170)
  })

  test.each([
    withCode('ENOTFOUND'),
    withCode('EAI_AGAIN'),
    withCode('ECONNREFUSED'),
    withCode('EHOSTUNREACH'),
    withCode('57P03', 'the database system is starting up'),
    withCode('53300', 'sorry, too many clients already'),
    withCode('25006', 'cannot execute LISTEN during recovery'),
    withCode('08P01', 'server login has been failing, try again later (server_login_retry)'),
    new Error('timeout expired'),
    new Error('Query read timeout'),
    new ReadOnly(),
    new Error('0001_tables.sql failed', { cause: withCode('53100', 'No space left on device') }),
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
  ])('is waited for: $message', async error => {
    const attempt = vi.fn<() => Promise<void>>().mockRejectedValueOnce(error).mockResolvedValueOnce()
    const done = waitForDatabase(attempt, async () => undefined, { warn: () => undefined })
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(attempt).toHaveBeenCalledTimes(2)
  })
})

test('of all that fails meanwhile the log has a line at once and one each minute, with no stack, until it is back', () => {
  const written = vi.fn()
  const logMethod = logOutageOnce()
  const log = (...args: [unknown, ...unknown[]]) => logMethod.call({} as Logger, args, written)
  const full = withCode('53100', 'No space left on device')
  const line = [{ reason: 'No space left on device' }, expect.any(String)]
  for (let n = 0; n < 100; n += 1) log({ err: full }, 'a request could not be served')
  expect(written.mock.calls).toEqual([line])
  vi.advanceTimersByTime(MINUTE_MS)
  log({ err: full })
  expect(written.mock.calls).toEqual([line, line])
  log(IS_BACK)
  log({ err: full })
  log({ err: new Error('a fault of ours') }, 'a request failed')
  expect(written.mock.calls.slice(2)).toEqual([
    [IS_BACK],
    line,
    [{ err: expect.any(Error) }, 'a request failed'],
  ])
})

describe('what no waiting mends', () => {
  test.each([
    [
      withCode('28P01', 'password authentication failed for user "taps"'),
      /password authentication failed.*check DATABASE_URL$/,
    ],
    [withCode('3D000', 'database "taps" does not exist'), /does not exist\); check DATABASE_URL$/],
    [withCode('08P01', 'no such database: taps'), /no such database/],
    [withCode('08P01', 'unsupported startup parameter: extra_float_digits'), /; check DATABASE_URL$/],
    [new Error('The server does not support SSL connections'), /sslmode=disable/],
    [withCode('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), /sslrootcert=<file>/],
    [
      withCode('ERR_TLS_CERT_ALTNAME_INVALID', "Host: db. is not in the cert's altnames"),
      /sslrootcert=<file>/,
    ],
    [withCode('CERT_HAS_EXPIRED', 'certificate has expired\nand more'), /\(certificate has expired\)/],
  ])('is thrown at once, and is one line with what to do: %s', async (error, line) => {
    const attempt = () => Promise.reject(error)
    await expect(waitForDatabase(attempt, async () => undefined, { warn: vi.fn() })).rejects.toBe(error)
    const refused = refusal(error)
    expect(refused).toBeInstanceOf(StartError)
    expect(refused.message).toMatch(line)
    expect(refused.message).not.toContain('\n')
  })
})
