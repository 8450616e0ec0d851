import { expect, test } from 'vitest'
import { Client } from '../tests/support/client.ts'
import { openWorld } from '../tests/support/world.ts'
import { type LogFormat, lineWriter, serializeError } from './log.ts'

const world = openWorld()

/** Characters that end a line, start an escape sequence or change the text direction. */
const NASTY = '\r\n\u001b[2J\u009b31m\u0085\u2028\u2029\u202e\u0007\u007f'
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u

test.each<[LogFormat, RegExp]>([
  ['json', /^\{[^\n]*\}\n$/],
  // The stack of an error follows in indented lines.
  ['text', /^20\d\d-\S+Z error [^\n]+(\n {4}[^\n]+)+\n$/],
])(
  'a log line stays one printable line in %s format, whatever a request or an error contains',
  (format, form) => {
    const err = serializeError(new Error(NASTY, { cause: Object.assign(new Error(NASTY), { code: NASTY }) }))
    const line = { level: 50, time: Date.now(), msg: NASTY, path: NASTY, agents: [NASTY], err }
    const written = lineWriter(format)(`${JSON.stringify(line)}\n`)
    expect(written).toMatch(form)
    expect(written).toContain('\\u001b[2J\\u009b31m\\u0085\\u2028\\u2029\\u202e')
    expect(written.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
  },
)

test('formats a text line as time, level, message and fields', () => {
  const line = {
    level: 40,
    time: 0,
    pid: 1,
    msg: 'wrong password',
    path: '/api/login',
    of: 'a b',
    account: 17,
  }
  expect(lineWriter('text')(`${JSON.stringify(line)}\n`)).toBe(
    '1970-01-01T00:00:00.000Z warn  wrong password path=/api/login of="a b" account=17\n',
  )
})

test('logs a database error as one line, without the row that caused it', async () => {
  const written: string[] = []
  const node = await world.addNode(
    { logFormat: 'json' },
    { write: (line: string) => void written.push(line) },
  )
  await world.sql("alter table users add constraint unlucky check (username <> 'Never Logged')")
  const { status, body } = await new Client(node.url).createAccount('Never Logged', 'correct horse battery')
  await world.sql('alter table users drop constraint unlucky')
  expect(status).toBe(500)
  const line = written.find(line => line.includes(body.id ?? 'no id')) ?? ''
  expect(JSON.parse(line).err).toMatchObject({ code: '23514', message: expect.stringContaining('unlucky') })
  expect(line).not.toMatch(/Never Logged|\$2b\$/)
})

test('logs the causes of an error, but none of their other properties', () => {
  const root = Object.assign(new Error('disk full'), { code: '53100', detail: 'a row' })
  const error = new Error('not recorded', { cause: root })
  expect(serializeError(error)).toEqual({
    type: 'Error',
    message: 'not recorded',
    stack: error.stack,
    cause: { type: 'Error', message: 'disk full', stack: root.stack, code: '53100' },
  })
})
