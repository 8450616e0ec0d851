import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Hmac } from './hmac.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map(array => Buffer.from(array))

test('gives what the HMAC of Node gives, for every key of at most a block and every message', () => {
  fc.assert(
    fc.property(bytes(64), fc.string(), bytes(300), (key, prefix, message) => {
      const expected = createHmac('sha256', key).update(prefix).update(message).digest()
      const hmac = new Hmac(key, prefix)
      expect(hmac.digest(message)).toEqual(expected)
      expect(hmac.digest(message), 'again').toEqual(expected)
    }),
  )
})

test('takes no key longer than a block, which would have to be hashed first', () => {
  expect(() => new Hmac(Buffer.alloc(65))).toThrow('at most 64 bytes')
})
