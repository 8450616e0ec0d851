import { text } from 'node:stream/consumers'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { Client } from '../tests/support/client.ts'
import type { TestGame } from '../tests/support/game.ts'
import { openSocket } from '../tests/support/wire.ts'
import { openWorld } from '../tests/support/world.ts'
import { type LogFormat, lineWriter, serializeError } from './log.ts'

const world = openWorld()

/** Characters that end a line, start an escape sequence or change the text direction. */
const NASTY = '\r\n\u001b[2J\u009b31m\u0085\u2028\u2029\u202e\u0007\u007f'
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u
const PASSWORD = 'correct horse battery'

/** Opens a node and collects the lines that it logs. */
async function openLogged(logFormat: LogFormat) {
  const written: string[] = []
  const write = (line: string) => void written.push(line)
  return { node: await world.addNode({ logFormat }, { write }), written }
}

/** Sends a request as raw bytes, because an HTTP client would encode special characters. */
async function send({ url }: TestGame, head: string): Promise<string> {
  const socket = await openSocket(url)
  socket.end(Buffer.from(`${head}\r\nhost: x\r\nconnection: close\r\n\r\n`, 'latin1'))
  return text(socket)
}

describe('a log line', () => {
  test.each<[LogFormat, RegExp]>([
    ['json', /^\{[^\n]*\}\n$/],
    // The stack of an error follows in indented lines.
    ['text', /^20\d\d-\S+Z (info |warn |error) [^\n]+(\n {4}[^\n]+)*\n$/],
  ])('stays one printable line in %s format, whatever a request contains', async (format, form) => {
    const { node, written } = await openLogged(format)
    const client = new Client(node.url)
    await client.login(NASTY, NASTY)
    await client.createAccount(`Ana ${NASTY}`, PASSWORD)
    const { round } = await client.session()
    await client.post('/api/attempts', {
      start: (await client.start(round)).start,
      username: NASTY,
      actual_time: 2,
    })
    for (const path of ['\u009b31m', '\u001b[2J', '\u00e2\u0080\u00a8', '%0d%0a%1b[2J%e2%80%a8', '%zz%0a']) {
      await send(node, `GET /api/attempts?${path} HTTP/1.1\r\nuser-agent: x\u009b31m\u0085`)
      await send(node, `GET /${path} HTTP/1.1\r\nreferer: x\u009b31m\u0085`)
    }

    // A server error logs the URL and the message of the database.
    await world.sql(`create function complain() returns trigger language plpgsql as $$
      begin raise exception using message = ${pg.escapeLiteral(NASTY)}; end $$`)
    await world.sql('create trigger complain before insert on attempts execute function complain()')
    const attempt = { start: (await client.start(round)).start, username: 'Ana', actual_time: 2 }
    const { status } = await client.post(`/api/attempts?${encodeURIComponent(NASTY)}`, attempt)
    await world.sql('drop trigger complain on attempts')
    await world.sql('drop function complain')

    expect(status).toBe(500)
    expect(written.join('')).toContain('\\u001b[2J\\u009b31m\\u0085\\u2028\\u2029\\u202e')
    for (const line of written) {
      expect(line).toMatch(form)
      expect(line.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
    }
  })
})

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

test('logs a database error without the row that caused it', async () => {
  const { node, written } = await openLogged('json')
  await world.sql("alter table users add constraint unlucky check (username <> 'Never Logged')")
  const { status, body } = await new Client(node.url).createAccount('Never Logged', PASSWORD)
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
