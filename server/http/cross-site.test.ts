import type { FastifyRequest } from 'fastify'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { unsafeRequestCheck } from './cross-site.ts'

const warn = vi.fn()
afterEach(() => warn.mockReset())

/** Returns the sentence with which a POST is refused, or null. */
function refusal(origin: string, host = 'taps.example', publicUrl: string | null = null, more = {}) {
  return refusalBy(unsafeRequestCheck(publicUrl), origin, host, more)
}

function refusalBy(check: ReturnType<typeof unsafeRequestCheck>, origin: string, host: string, more = {}) {
  const request = { method: 'POST', headers: { origin, ...more }, host, ip: '192.0.2.1', log: { warn } }
  try {
    check(request as unknown as FastifyRequest)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`
  }
}

describe('an origin without Sec-Fetch-Site', () => {
  test.each([
    ['in another case', 'http://Taps.EXAMPLE', 'taps.example'],
    ['with the default port of http', 'http://taps.example', 'taps.example:80'],
    ['with the default port of https', 'https://taps.example', 'taps.example:443'],
    ['with a trailing dot, which nginx drops', 'http://taps.example.:8080', 'taps.example:8080'],
    ['as an IPv6 address', 'http://[0:0::1]:3000', '[::1]:3000'],
    ['with international letters', 'https://xn--tps-qla.example', 'täps.example'],
  ])('equals the host, even %s', (_, origin, host) => {
    expect(refusal(origin, host)).toBeNull()
    expect(refusal(origin, 'elsewhere', origin), 'as PUBLIC_URL').toBeNull()
  })

  test.each([
    ['another port', 'http://taps.example:8080'],
    ["the other scheme's port", 'http://taps.example:443'],
    ['a longer name', 'http://taps.example.evil.example'],
    ['a user', 'http://taps.example@evil.example'],
    ['no scheme', 'taps.example'],
    ['a scheme without hosts', 'data:x'],
    ['an invalid host', 'http://taps.example:x'],
    ['no site at all', 'null'],
  ])('is refused with %s', (_, origin) => {
    expect(refusal(origin, 'taps.example', 'https://taps.example')).toMatch(
      /^This request came from another site/,
    )
  })
})

test('names origin, host and PUBLIC_URL when a proxy drops the port from Host', () => {
  expect(refusal('http://taps.example:8080')).toBe(
    'This request came from another site: http://taps.example:8080 is not taps.example; ' +
      'if both are this game, its operator has to set PUBLIC_URL',
  )
})

test('logs one short line a minute about refusals', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const check = unsafeRequestCheck(null)
  const refuseAll = () => {
    for (let n = 0; n < 100; n += 1) refusalBy(check, `http://${n}${'x'.repeat(10_000)}`, 'y'.repeat(10_000))
  }
  refuseAll()
  vi.advanceTimersByTime(59_999)
  refuseAll()
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    { address: '192.0.2.1' },
    expect.stringMatching(/^.{100,400}x is not y+;.*PUBLIC_URL$/),
  )
  vi.advanceTimersByTime(1)
  refuseAll()
  expect(warn).toHaveBeenCalledTimes(2)
})

test.each(['cross-site', 'same-site', 'anything'])(
  'does not mention PUBLIC_URL when the browser itself reports the site as %s',
  site => {
    expect(refusal('http://taps.example', undefined, null, { 'sec-fetch-site': site })).toBe(
      'This request came from another site: http://taps.example is not taps.example',
    )
  },
)

test.each(['same-origin', 'none'])(
  'trusts a browser that reports the site as %s, whatever the origin',
  site => {
    expect(refusal('https://evil.example', undefined, null, { 'sec-fetch-site': site })).toBeNull()
  },
)
