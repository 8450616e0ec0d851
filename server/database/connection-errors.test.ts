import { expect, test } from 'vitest'
import { StartError } from '../lib/errors.ts'
import { connectionError, isTransientError } from './connection-errors.ts'

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
