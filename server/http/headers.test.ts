import { beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { PUBLIC_HEADERS } from './cross-site.ts'

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

test('refuses a POST from another site at every endpoint, before anything else is checked', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
  for (const url of [...UNSAFE.map(({ url }) => url), '/nowhere']) {
    const { body } = await member.send(url, { method: 'POST', text: 'x'.repeat(20_000), headers })
    expect(body, url).toMatchObject({ status: 403, code: 'cross_site' })
  }
  expect((await member.session()).user).not.toBeNull()
})

test('accepts a POST from its own origin, and from PUBLIC_URL behind a proxy that changes Host', async () => {
  const claim = async (url: string, origin: string) =>
    (await member.copy(url).send('/api/claim', { method: 'POST', headers: { origin } })).status
  expect(await claim(world.game.url, world.game.url)).toBe(200)
  expect(await claim(proxied.url, 'http://taps.example')).toBe(200)
})

/** Reads the headers of an answer without waiting for its body. */
async function headersOf(url: string, headers: Record<string, string> = {}): Promise<Headers> {
  const stop = new AbortController()
  const answer = await fetch(url, { headers, signal: stop.signal })
  stop.abort()
  return answer.headers
}

/** A copy, so that no header goes unnoticed. */
const SAFE = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

describe.each([
  '/',
  '/icon.svg',
  '/api/session',
  '/api/live',
  '/api/nothing',
  '/api/docs/swagger-ui.css',
  '/healthz',
  '/metrics',
  '/%zz',
])('%s', path => {
  test('has the security headers', async () => {
    const headers = await headersOf(world.game.url + path)
    const more = path === '/api/live' ? PUBLIC_HEADERS : {}
    expect(Object.fromEntries(headers)).toMatchObject({ ...SAFE, ...more })
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
