import { expect, test, vi } from 'vitest'
import { unknownAddressWarning, unknownProxyWarning } from './secure.ts'

const NONE = { trustProxy: false } as const

test.each([
  { 'x-forwarded-for': '192.0.2.7' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=192.0.2.7;proto=https;host=taps.example' },
])(
  'warns once, naming the settings to change, when the headers %j arrive and no proxy is trusted',
  headers => {
    const log = { warn: vi.fn() }
    const warn = unknownProxyWarning(NONE)
    warn({ headers: {}, log })
    expect(log.warn).not.toHaveBeenCalled()
    for (let n = 0; n < 3; n += 1) warn({ headers, log })
    expect(log.warn.mock.calls).toEqual([[expect.stringMatching(/TRUST_PROXY.*PUBLIC_URL/)]])
  },
)

test('does not warn about forwarded requests when a proxy is trusted', () => {
  const log = { warn: vi.fn() }
  unknownProxyWarning({ trustProxy: ['loopback'] })({ headers: { 'x-forwarded-proto': 'https' }, log })
  expect(log.warn).not.toHaveBeenCalled()
})

test('warns once when a proxy forwards no valid address, but not about an address with a port', () => {
  const log = { warn: vi.fn() }
  const warn = unknownAddressWarning()
  warn({ ip: '192.0.2.7:49152', log })
  expect(log.warn).not.toHaveBeenCalled()
  for (const ip of ['unix:', 'unix:']) warn({ ip, log })
  expect(log.warn).toHaveBeenCalledOnce()
})
