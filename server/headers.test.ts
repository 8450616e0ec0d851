import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckedClient } from './testing/checked-client.ts'
import { openWorld } from './testing/world.ts'

const world = openWorld()
const UNSAFE = ['/api/rounds', '/api/attempts', '/api/login', '/api/users', '/api/logout', '/api/claim']

let member: CheckedClient

beforeAll(async () => {
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

describe.each(['/', '/api/session', '/api/nothing', '/healthz', '/api/docs/', '/%zz'])('%s', path => {
  test('comes with the headers that keep browsers safe', async () => {
    const { headers } = await fetch(world.game.url + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    })
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.has('x-powered-by')).toBe(false)
  })
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
  expect(answer.status).toBe(404)
  expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
})
