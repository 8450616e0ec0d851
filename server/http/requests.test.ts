import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { ClientRequest } from '../../tests/support/client.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'hunter2 hunter2'

let member: CheckedClient
let start = ''
beforeAll(async () => {
  member = world.newcomer()
  await member.createAccount('Member', PASSWORD)
  start = (await member.start()).start
})

type Request = [what: string, path: string, request: ClientRequest]

/** Expects that every request is refused, and that no request records an attempt or creates an account. */
async function expectRefusals(status: number, code: string, all: readonly Request[]): Promise<void> {
  for (const [what, path, request] of all) {
    const answer = await member.send(path, { method: 'POST', ...request })
    expect(answer.body, `${path} with ${what}`).toMatchObject({ status, code })
  }
  expect(await world.sql('select from attempts')).toEqual([])
  expect(await world.sql("select from users where username <> 'Member'")).toEqual([])
  expect((await member.session()).user?.username).toBe('Member')
}

/** Returns an attempt as JSON, with this JSON as the value of the property. */
function attemptWith(property: string, json: string): string {
  const members = { start: JSON.stringify(start), username: '"Someone"', actual_time: '2.345' }
  const all = Object.entries({ ...members, [property]: json })
  return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

test("refuses an attempt that does not match the contract's schema", async () => {
  // Whole milliseconds up to ten minutes are valid times.
  const times = ['"1.5"', 'true', 'null', '[1.5]', '0x10', '1e999', '-1.5', '0', '1.2345', '600.001']
  const attempt = attemptWith('username', '"x"')
  const texts = [
    ...times.map(time => attemptWith('actual_time', time)),
    ...['7', 'null', `"${'x'.repeat(201)}"`].map(name => attemptWith('username', name)),
    ...['taps_added', '__proto__', 'constructor'].map(name => attemptWith(name, '{"taps_added":1000}')),
    ...['', `[${attempt}]`, attempt.slice(0, -1), '['.repeat(4_000)],
  ]
  const all = texts.map((body): Request => [body, '/api/attempts', { text: body }])
  await expectRefusals(400, 'invalid_request', all)
})

test('refuses a non-empty body at an endpoint that takes no body', async () => {
  const texts = ['{"user_id":1}', '"x"', '1', 'true', '[1]', '{', '{"__proto__":{"x":1}}']
  const all = ['/api/claim', '/api/logout'].flatMap(path =>
    texts.map((body): Request => [body, path, { text: body }]),
  )
  await expectRefusals(400, 'invalid_request', all)
  for (const body of ['', '{}', 'null']) {
    expect((await member.send('/api/claim', { method: 'POST', text: body })).status, body).toBe(200)
  }
})

test('refuses every content type except JSON', async () => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
  const all = [...types, 'text/json', 'application/xml', 'application/jsonp', ''].map(
    (type): Request => [type, '/api/claim', { text: '{}', headers: { 'content-type': type } }],
  )
  await expectRefusals(415, 'unsupported_media_type', all)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('refuses a body in the encoding %s', async (coding, encode) => {
  const answer = await fetch(`${world.game.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': coding },
    body: encode(JSON.stringify({ username: 'Member', password: PASSWORD })),
  })
  expect(await answer.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' })
})

test('refuses a body over 8 KB', async () => {
  await expectRefusals(413, 'too_large', [['9 KB', '/api/attempts', { json: 'x'.repeat(9_000) }]])
})

test('answers 408 to a request that arrives too slowly', async () => {
  const { server: app, url } = await world.addNode()
  // The server checks its connections every 5 s.
  app.server.requestTimeout /= 1_000
  app.server.headersTimeout /= 1_000
  const socket = await openSocket(url)
  const head = ['POST /api/claim HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 2']
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1.1 408 /)
  expect(answer).toContain('"code":"too_slow"')
})

test.each([
  ['PROPFIND', '/nowhere'],
  ['GET', '/assets/..%2f..%2f..%2fpackage.json'],
  ['GET', '/index.html'],
  ['GET', '/api/attempts/1'],
  ['OPTIONS', '/api/attempts?a=b'],
])('answers 404 to %s %s', async (method, path) => {
  const { body } = await member.send(path, { method })
  expect(body).toEqual({ status: 404, code: 'not_found', title: 'There is nothing here' })
})

test.each(['/%zz', '/api/%c0%ae'])('answers 400 to the invalid URL %s', async path => {
  const { body } = await member.send(path)
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' })
})
