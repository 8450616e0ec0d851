import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'
import { SAFE_HEADERS } from './headers.ts'

const world = openWorld()

const open = () => openSocket(world.game.url)

/** Sends bytes and returns the whole answer. */
async function send(bytes: string | Buffer): Promise<string> {
  const socket = await open()
  socket.end(bytes)
  return text(socket)
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map(line => line.split(': ')))
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? null : JSON.parse(body) }
}

const HOST = 'host: localhost\r\n'

test.each([
  ['garbage', 'hello\r\n\r\n', 'invalid_request'],
  ['a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex'), 'invalid_request'],
  [
    'a request with both a content length and chunks',
    `POST / HTTP/1.1\r\n${HOST}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'invalid_request',
  ],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 'invalid_request'],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${HOST}expect: a miracle\r\n\r\n`, 'invalid_request'],
  [
    'a request with 17 KB of headers',
    `GET / HTTP/1.1\r\n${HOST}a: ${'x'.repeat(17_000)}\r\n\r\n`,
    'headers_too_large',
  ],
])('sends a problem and the usual headers in answer to %s', async (_, bytes, code) => {
  const { status, headers, body } = parse(await send(bytes))
  expect(body).toEqual({ status, code, title: expect.any(String) })
  expect(headers).toMatchObject({
    ...SAFE_HEADERS,
    'content-type': expect.stringMatching(/^application\/problem\+json/),
  })
})
