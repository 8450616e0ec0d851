import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { SAFE_HEADERS } from './headers.ts'

const world = openWorld()
const UNSAFE = ['/api/rounds', '/api/attempts', '/api/login', '/api/users', '/api/logout', '/api/claim']

let member: CheckedClient
/** A node behind a proxy of ours. */
let proxied: TestGame

beforeAll(async () => {
  proxied = await world.addNode({ trustProxy: ['loopback'] })
  member = world.newcomer()
  await member.createAccount('Member', 'correct horse battery')
})

/** What `/api/logout` answers to a signed-in browser that another page made send it. */
async function logoutWith(headers: Record<string, string>, client = member) {
  const { status, body } = await client.copy().send<{ code?: string } | null>('/api/logout', {
    method: 'POST',
    headers,
  })
  return body?.code ?? status
}

describe('an unsafe call is refused as cross-site', () => {
  test.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['a value nobody knows', { 'sec-fetch-site': 'anything' }],
    ['cross-site, whatever the origin says', { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['an origin that only begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['an origin that is none', { origin: 'nonsense' }],
  ])('from %s', async (_, headers) => {
    expect(await logoutWith(headers)).toBe('cross_site')
    expect((await member.session()).user).not.toBeNull()
  })

  test.each(UNSAFE)('at %s', async path => {
    const { body } = await member.send(path, {
      method: 'POST',
      json: {},
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(body).toEqual({ status: 403, code: 'cross_site', title: 'This request came from another site' })
  })

  test('before anything else is looked at', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
    for (const path of ['/api/claim', '/nowhere']) {
      const { status } = await member.send(path, { method: 'POST', text: 'x'.repeat(20_000), headers })
      expect(status).toBe(403)
    }
  })
})

describe('an unsafe call passes', () => {
  let signedIn: CheckedClient
  beforeAll(async () => {
    signedIn = world.newcomer()
    await signedIn.createAccount('Passes', 'correct horse battery')
  })

  test.each([
    ['from the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['from the address bar', { 'sec-fetch-site': 'none' }],
    [
      'from the same origin, whatever Origin says',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ],
    ['with neither header, from no browser', {}],
  ])('%s', async (_, headers) => {
    const { status } = await signedIn.send('/api/claim', { method: 'POST', headers })
    expect(status).toBe(200)
  })

  test('with our own origin from a browser without Sec-Fetch-Site', async () => {
    const { status } = await signedIn.send('/api/claim', {
      method: 'POST',
      headers: { origin: world.game.url },
    })
    expect(status).toBe(200)
  })

  test('with the origin of PUBLIC_URL, behind a proxy that changes the host', async () => {
    const node = await world.addNode({ publicUrl: 'https://taps.example' })
    const client = signedIn.copy(node.url)
    const claim = (origin: string) => client.send('/api/claim', { method: 'POST', headers: { origin } })
    expect((await claim('https://taps.example')).status).toBe(200)
    expect((await claim('https://taps.example.evil.example')).status).toBe(403)
  })
})

test('a cross-site read passes: it changes nothing, and its answer stays unread', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const { status, headers: answered } = await member.send('/api/prize-pool', { headers })
  expect(status).toBe(200)
  expect([...answered.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  expect(answered.get('cross-origin-resource-policy')).toBe('same-origin')
})

const PATHS = [
  '/',
  '/icon.svg',
  '/api/session',
  '/api/live',
  '/api/nothing',
  '/api/openapi.json',
  '/api/docs/',
  '/api/docs/static/swagger-ui.css',
  '/healthz',
  '/readyz',
  '/metrics',
  '/%zz',
]

/** The headers of an answer whose body nobody waits for. */
async function headersOf(url: string, init: RequestInit = {}): Promise<Headers> {
  const stop = new AbortController()
  const { headers } = await fetch(url, { ...init, signal: stop.signal })
  stop.abort()
  return headers
}

describe.each(PATHS)('%s', path => {
  test('comes with the headers that keep browsers safe', async () => {
    const headers = await headersOf(world.game.url + path)
    expect(Object.fromEntries(headers)).toMatchObject(SAFE_HEADERS)
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.has('x-powered-by')).toBe(false)
    expect(headers.has('server')).toBe(false)
  })

  test('comes with word to stay on TLS where it came over TLS, and only then', async () => {
    const overTls = { headers: { 'x-forwarded-proto': 'https' } }
    expect((await headersOf(proxied.url + path, overTls)).get('strict-transport-security')).toBe(
      'max-age=63072000',
    )
    expect((await headersOf(proxied.url + path)).has('strict-transport-security')).toBe(false)
    // Who says so is nobody that we know.
    expect((await headersOf(world.game.url + path, overTls)).has('strict-transport-security')).toBe(false)
  })
})

test('the headers that keep browsers safe allow nothing inline, no frame and no other origin', () => {
  const policy = SAFE_HEADERS['content-security-policy']
  for (const rule of [
    "default-src 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
  ]) {
    expect(policy).toContain(rule)
  }
  expect(policy).not.toMatch(/unsafe|\*|https?:|'nonce|'sha/)
  expect(SAFE_HEADERS).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('a first visit that another site caused sets no cookie, which would replace one that the browser keeps back', async () => {
  const visit = async (headers: Record<string, string>) =>
    (await headersOf(`${world.game.url}/api/session`, { headers })).getSetCookie().length
  expect(await visit({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(0)
  expect(await visit({ 'upgrade-insecure-requests': '1' })).toBe(0)
  expect(await visit({ 'sec-fetch-site': 'none', 'upgrade-insecure-requests': '1' })).toBe(1)
  expect(await visit({ 'sec-fetch-site': 'same-origin' })).toBe(1)
  expect(await visit({})).toBe(1)
})

test('what comes compressed to some is marked, so that no cache hands it to others', async () => {
  const html = await (await fetch(world.game.url)).text()
  const [script = ''] = /\/assets\/index-[\w-]+\.js/.exec(html) ?? []
  for (const path of ['/', script, '/icon.svg']) {
    expect((await headersOf(world.game.url + path)).get('vary'), path).toBe('accept-encoding')
  }
})

test('the page is asked for anew each time, and answers of the API are not kept', async () => {
  const page = await fetch(world.game.url)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const answer = await fetch(`${world.game.url}/api/session`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test.each(['/', '/api/prize-pool', '/healthz'])('HEAD %s is GET without a body', async path => {
  const head = await fetch(world.game.url + path, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  const get = await fetch(world.game.url + path)
  expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
})

test('nobody is allowed in from another origin by a preflight', async () => {
  const answer = await fetch(`${world.game.url}/api/claim`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect(answer.status).toBe(405)
  expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
})
