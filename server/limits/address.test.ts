import { describe, expect, test } from 'vitest'
import { addressKey, addressMatcher } from './address.ts'

describe('addressKey', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['[fe80::1%br-lan.7]:80', 'fe80:0:0:0::/64'],
    ['192.0.2.7:49152', '192.0.2.7'],
    ['[2001:db8:1:2::6]:49152', '2001:db8:1:2::/64'],
  ])('maps %s to %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key)
  })

  test.each([[''], ['unknown'], ['192.0.2.7.1:80'], ['x'.repeat(10_000)], ['1'.repeat(50)]])(
    'maps text that is not an address to "unknown"',
    ip => {
      expect(addressKey(ip)).toBe('unknown')
    },
  )
})

test('matches the addresses of a network, even mapped into IPv6, and nothing else', () => {
  const belongs = addressMatcher(['192.0.2.0/24'])
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7']) expect(belongs(address), address).toBe(true)
  for (const address of ['192.0.3.0', '', 'nonsense']) expect(belongs(address), address).toBe(false)
})
