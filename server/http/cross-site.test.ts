import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { escapeControlChars } from '../log.ts'
import { CrossSiteRefusal } from './cross-site.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Opens a check with a spy on the log. `refusal` returns the sentence of a refused POST, or null. */
function open(publicUrl: string | null = null) {
  const crossSite = new CrossSiteRefusal(publicUrl)
  const warn = vi.fn()
  const refusal = (origin: string, host = 'taps.example', more = {}): string | null => {
    const request = { method: 'POST', headers: { origin, ...more }, host, ip: '192.0.2.1', log: { warn } }
    try {
      crossSite.refuseUnsafe({ ...request, routeOptions: { url: '/api/claim' } } as unknown as FastifyRequest)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : `${error}`
    }
  }
  return { refusal, warn }
}

describe('an origin without Sec-Fetch-Site', () => {
  test.each([
    ['in another case', 'http://Taps.EXAMPLE', 'taps.example'],
    ['with the default port of http', 'http://taps.example', 'taps.example:80'],
    ['with the default port of https', 'https://taps.example', 'taps.example:443'],
    ['with a trailing dot', 'http://taps.example.:8080', 'taps.example:8080'],
    ['as an IPv6 address', 'http://[0:0::1]:3000', '[::1]:3000'],
    ['with international letters', 'https://xn--tps-qla.example', 'täps.example'],
  ])('equals the host, even %s', (_, origin, host) => {
    expect(open().refusal(origin, host)).toBeNull()
    expect(open(origin).refusal(origin, 'elsewhere'), 'as PUBLIC_URL').toBeNull()
  })

  test.each([
    ['another port', 'http://taps.example:8080'],
    ["the other scheme's port", 'http://taps.example:443'],
    ['a longer name', 'http://taps.example.evil.example'],
    ['a trailing slash', 'http://taps.example/'],
    ['a user', 'http://taps.example@evil.example'],
    ['no scheme', 'taps.example'],
    ['an invalid host', 'http://taps.example:x'],
    ['14,000 characters', `http://${'x'.repeat(14_000)}`],
  ])('is refused with %s', (_, origin) => {
    expect(open('https://taps.example').refusal(origin)).toMatch(/^This request came from another site/)
  })
})

test('names origin, host and PUBLIC_URL when a proxy drops the port from Host', () => {
  const { refusal, warn } = open()
  expect(refusal('http://taps.example:8080')).toBe(
    'This request came from another site: http://taps.example:8080 is not taps.example; ' +
      'if both are this game, its operator has to set PUBLIC_URL',
  )
  const fields = {
    path: '/api/claim',
    address: '192.0.2.1',
    origin: 'http://taps.example:8080',
    host: 'taps.example',
  }
  const hint = 'if this origin is yours, set PUBLIC_URL to it'
  expect(warn.mock.calls).toEqual([[{ ...fields, hint }, 'sent by another site']])
})

test('does not mention PUBLIC_URL when the browser itself reports another site', () => {
  const { refusal, warn } = open()
  const sentence = refusal('https://evil.example', 'taps.example', { 'sec-fetch-site': 'cross-site' })
  expect(sentence).toBe('This request came from another site: https://evil.example is not taps.example')
  expect(JSON.stringify(warn.mock.calls)).not.toContain('PUBLIC_URL')
})

test('logs one short line a minute, whatever the requests contain', () => {
  const { refusal, warn } = open()
  for (let n = 0; n < 100; n += 1) refusal(`http://${n}${'x'.repeat(10_000)}`, 'y'.repeat(10_000))
  expect(warn).toHaveBeenCalledOnce()
  expect(escapeControlChars(JSON.stringify(warn.mock.calls)).length).toBeLessThan(500)
  vi.advanceTimersByTime(60_000)
  refusal('http://evil.example')
  expect(warn).toHaveBeenCalledTimes(2)
})
