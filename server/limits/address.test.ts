import { describe, expect, test } from 'vitest'
import { addressKey, sharesOf } from './address.ts'

describe('an address counts', () => {
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
  ])('%s as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key)
  })

  test.each([[''], ['unknown'], ['192.0.2.7.1:80'], ['x'.repeat(10_000)], ['1'.repeat(50)]])(
    'as unknown when it is none',
    ip => {
      expect(addressKey(ip)).toBe('unknown')
    },
  )
})

describe('the shares', () => {
  test('of an address of IPv6 are those of its /48, its /56 and its /64', () => {
    expect(sharesOf('2001:db8:1:2ff::/64')).toEqual([
      { key: '2001:db8:1::/48', times: 4 },
      { key: '2001:db8:1:200::/56', times: 2 },
      { key: '2001:db8:1:2ff::/64', times: 1 },
    ])
  })

  test('of what it does about something are about that', () => {
    expect(sharesOf('2001:db8:1:0::/64 some name').map(({ key }) => key)).toEqual([
      '2001:db8:1::/48 some name',
      '2001:db8:1:0::/56 some name',
      '2001:db8:1:0::/64 some name',
    ])
  })

  test.each([['192.0.2.7'], ['192.0.2.7 some name'], ['unknown'], ['0b5e1c1e-8f0e-4a52-9b39-e8f2a1f2a111']])(
    'of %s are its own',
    key => {
      expect(sharesOf(key)).toEqual([{ key, times: 1 }])
    },
  )
})
