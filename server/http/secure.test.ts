import { expect, test, vi } from 'vitest'
import { unknownAddressWarning, unknownProxyWarning } from './secure.ts'

const NONE = { publicUrl: null, trustProxy: false } as const

test.each([
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=192.0.2.7;proto=https;host=taps.example' },
  { forwarded: 'for=192.0.2.7;Proto="https"' },
])('%j without any word of a proxy is warned of once, with what to set', headers => {
  const log = { warn: vi.fn() }
  const look = unknownProxyWarning(NONE)
  look({ headers: {}, log })
  expect(log.warn).not.toHaveBeenCalled()
  for (let n = 0; n < 3; n += 1) look({ headers, log })
  expect(log.warn.mock.calls).toEqual([[expect.stringMatching(/PUBLIC_URL.*TRUST_PROXY/)]])
})

test.each([{ 'x-forwarded-proto': 'http' }, { forwarded: 'proto=http' }, {}])(
  '%j is not warned of',
  headers => {
    const log = { warn: vi.fn() }
    unknownProxyWarning(NONE)({ headers, log })
    expect(log.warn).not.toHaveBeenCalled()
  },
)

test.each([
  { ...NONE, publicUrl: 'https://taps.example' },
  { ...NONE, trustProxy: ['loopback'] },
])('with %j there is nothing to warn of', env => {
  const log = { warn: vi.fn() }
  unknownProxyWarning(env)({ headers: { 'x-forwarded-proto': 'https' }, log })
  expect(log.warn).not.toHaveBeenCalled()
})

test('a visitor whom a proxy names by no address is warned of once, one with a port never', () => {
  const log = { warn: vi.fn() }
  const warn = unknownAddressWarning()
  warn({ ip: '192.0.2.7:49152', log })
  expect(log.warn).not.toHaveBeenCalled()
  for (const ip of ['unix:', 'unix:']) warn({ ip, log })
  expect(log.warn).toHaveBeenCalledOnce()
})
