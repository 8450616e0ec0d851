import { expect, test } from 'vitest'
import { addressMatcher } from './address.ts'

test('matches the addresses of a network, even mapped into IPv6, and nothing else', () => {
  const belongs = addressMatcher(['192.0.2.0/24'])
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7']) expect(belongs(address), address).toBe(true)
  for (const address of ['192.0.3.0', '', 'nonsense']) expect(belongs(address), address).toBe(false)
})
