import { beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint, type ProblemBody } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { PUBLIC_HEADERS } from './cross-site.ts'
import { SAFE_HEADERS } from './headers.ts'

const world = openWorld()
const UNSAFE = Object.values<Endpoint>(ENDPOINTS).filter(({ method }) => method === 'POST')

let member: CheckedClient
/** A node that trusts this machine as its proxy. */
let proxied: TestGame

beforeAll(async () => {
  proxied = await world.addNode({ trustProxy: ['loopback'], publicUrl: 'http://taps.example' })
  member = world.newcomer()
  await member.createAccount('Member', 'correct horse battery')
})

describe('a POST is refused as cross-site', () => {
  test.each([
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site page', { 'sec-fetch-site': 'same-site' }],
    ['a page with an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'anything' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
  ])('when it comes from %s', async (_, headers: Record<string, string>) => {
    const { body } = await member.send('/api/logout', { method: 'POST', headers })
    expect(body).toMatchObject({ status: 403, code: 'cross_site' })
    expect((await member.session()).user).not.toBeNull()
  })

  test('at every endpoint, before anything else is checked', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
    for (const url of [...UNSAFE.map(({ url }) => url), '/nowhere']) {
      const { status } = await member.send(url, { method: 'POST', text: 'x'.repeat(20_000), headers })
      expect(status, url).toBe(403)
    }
  })
})

describe('a POST is accepted', () => {
  const claim = async (headers: Record<string, string>, node = world.game) =>
    (await member.copy(node.url).send('/api/claim', { method: 'POST', headers })).status

  test.each([
    ['from the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['when the user initiated it', { 'sec-fetch-site': 'none' }],
    [
      'from the same origin, regardless of the Origin header',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ],
  ])('%s', async (_, headers: Record<string, string>) => {
    expect(await claim(headers)).toBe(200)
  })

  test("with the game's origin when the browser sends no Sec-Fetch-Site", async () => {
    expect(await claim({ origin: world.game.url })).toBe(200)
  })

  test('with the origin of PUBLIC_URL behind a proxy that changes the Host header', async () => {
    expect(await claim({ origin: 'http://taps.example' }, proxied)).toBe(200)
  })
})

test.each(['/api/session', '/api/attempts/mine'])('refuses %s to a page of another site', async path => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const { status, body, headers: answered } = await member.send<ProblemBody>(path, { headers })
  expect([status, body.code]).toEqual([403, 'cross_site'])
  expect(answered.getSetCookie()).toEqual([])
  expect([...answered.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  expect(answered.get('cross-origin-resource-policy')).toBe('same-origin')
})

/** Reads the headers of an answer without waiting for its body. */
async function headersOf(url: string, headers: Record<string, string> = {}): Promise<Headers> {
  const stop = new AbortController()
  const answer = await fetch(url, { headers, signal: stop.signal })
  stop.abort()
  return answer.headers
}

describe.each([
  '/',
  '/icon.svg',
  '/api/session',
  '/api/live',
  '/api/nothing',
  '/api/docs/static/swagger-ui.css',
  '/healthz',
  '/metrics',
  '/%zz',
])('%s', path => {
  test('has the security headers', async () => {
    const headers = await headersOf(world.game.url + path)
    const { 'cache-control': _, ...safe } = SAFE_HEADERS
    const more = path === '/api/live' ? PUBLIC_HEADERS : {}
    expect(Object.fromEntries(headers)).toMatchObject({ ...safe, ...more })
    expect(headers.has('x-powered-by')).toBe(false)
    expect(headers.has('server')).toBe(false)
  })
})

test.each(['/', '/api/session', '/api/live'])(
  '%s has Strict-Transport-Security only when a trusted proxy reports TLS',
  async path => {
    const overTls = { 'x-forwarded-proto': 'https' }
    const hsts = async (url: string, headers = {}) =>
      (await headersOf(url + path, headers)).get('strict-transport-security')
    expect(await hsts(proxied.url, overTls)).toBe('max-age=63072000')
    expect(await hsts(proxied.url)).toBeNull()
    expect(await hsts(world.game.url, overTls), 'reported by an untrusted client').toBeNull()
  },
)

test.each(['/api/session', '/%61pi/session', '/api/nothing', '/healthz'])(
  'forbids caching of the answer to %s',
  async path => {
    expect((await headersOf(world.game.url + path)).get('cache-control')).toBe('no-store')
  },
)

test('the security headers forbid inline code, framing and other origins', () => {
  const policy = SAFE_HEADERS['content-security-policy'].split('; ')
  const rules = ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]
  expect(policy).toEqual(expect.arrayContaining(rules))
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:|'nonce|'sha/)
  expect(SAFE_HEADERS).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
  })
})
