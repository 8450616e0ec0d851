import { expect, test } from 'vitest'
import { addressMatcher } from './networks.ts'

test.each([
  ['loopback', ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'], ['128.0.0.1', '10.0.0.1', '::2']],
  ['uniquelocal', ['10.1.2.3', '172.31.0.1', '192.168.7.7', 'fd00::1'], ['172.32.0.1', '11.0.0.1', '::1']],
  ['linklocal', ['169.254.1.1', 'fe80::1'], ['169.253.1.1', 'fec0::1']],
  ['192.0.2.7', ['192.0.2.7', '::ffff:192.0.2.7'], ['192.0.2.8']],
  ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255'], ['192.0.3.0']],
  ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1', '192.0.2.7']],
])('%s is who it says and nobody else', (entry, members, others) => {
  const belongs = addressMatcher([entry])
  for (const address of members) expect(belongs(address), address).toBe(true)
  for (const address of [...others, '', 'nonsense']) expect(belongs(address), address).toBe(false)
})

test('to no network nobody belongs', () => {
  for (const address of ['127.0.0.1', '::1', '10.0.0.1']) expect(addressMatcher([])(address)).toBe(false)
})
