import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { expect, test, vi } from 'vitest'
import { secureCheck, unknownProxyWarning } from './proxies.ts'

const direct = { socket: { remoteAddress: '203.0.113.1' } as Socket }

test.each([
  [false, { 'x-forwarded-for': '192.0.2.7' }],
  [false, { 'x-forwarded-proto': 'https' }],
  [['loopback'], { forwarded: 'for=192.0.2.7;proto=https;host=taps.example' }],
] as const)(
  'warns once, naming the settings to change, when TRUST_PROXY is %j and another proxy sends %j',
  (trusted, headers) => {
    const log = { warn: vi.fn() }
    const warn = unknownProxyWarning({ trustProxy: trusted && [...trusted] })
    warn({ ...direct, headers: {}, log })
    warn({ socket: { remoteAddress: '127.0.0.1' } as Socket, headers: trusted ? headers : {}, log })
    expect(log.warn).not.toHaveBeenCalled()
    for (let n = 0; n < 3; n += 1) warn({ ...direct, headers, log })
    expect(log.warn.mock.calls).toEqual([[expect.stringMatching(/TRUST_PROXY.*PUBLIC_URL/)]])
  },
)

test('takes a request for the host of an https PUBLIC_URL as sent over TLS', () => {
  const isSecure = (publicUrl: string, host: string) =>
    secureCheck({ publicUrl })({ host, protocol: 'http' } as FastifyRequest)
  expect(isSecure('https://taps.example', 'taps.example')).toBe(true)
  expect(isSecure('https://taps.example', 'localhost:3000')).toBe(false)
  expect(isSecure('http://taps.example', 'taps.example')).toBe(false)
})
