import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Seal } from './seal.ts'

const KEY = Buffer.alloc(32, 7)
const AS_IT_IS = { pack: (bytes: Buffer) => bytes, unpack: (bytes: Buffer) => bytes }
const rounds = new Seal(KEY, 'round', AS_IT_IS)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const payload = fc.uint8Array({ minLength: 1, maxLength: 60 }).map(bytes => Buffer.from(bytes))

test('what was sealed comes back, here and elsewhere, and the text fits a header or a cookie as it is', () => {
  const elsewhere = new Seal(KEY, 'round', AS_IT_IS)
  fc.assert(
    fc.property(payload, bytes => {
      const text = rounds.seal(bytes)
      expect(text).toMatch(/^[\w-]+$/)
      expect(rounds.unseal(text)).toEqual(bytes)
      expect(elsewhere.unseal(text)).toEqual(bytes)
      expect(elsewhere.unseal(text)).toEqual(bytes)
    }),
  )
})

test('what was sealed so long ago that it is forgotten comes back all the same', () => {
  const text = rounds.seal(Buffer.from('the first'))
  for (let n = 0; n < 20_000; n += 1) rounds.seal(Buffer.from(`another ${n}`))
  expect(rounds.unseal(text)?.toString()).toBe('the first')
})

test('what was sealed with another way of packing is of another kind, though the key and the use are the same', () => {
  const short = new Seal(KEY, 'round', {
    pack: (text: string) => Buffer.from(text),
    unpack: bytes => (bytes.length === 3 ? bytes.toString() : null),
  })
  const long = rounds.seal(Buffer.from('four'))
  expect(short.unseal(rounds.seal(Buffer.from('two')))).toBe('two')
  expect(short.unseal(long)).toBeNull()
  expect(short.unseal(long)).toBeNull()
})

test('no text with one character changed passes', () => {
  const text = rounds.seal(Buffer.from('seventeen octets!'))
  for (const place of text.split('').keys()) {
    for (const character of ALPHABET) {
      if (character === text[place]) continue
      const altered = text.slice(0, place) + character + text.slice(place + 1)
      expect(rounds.unseal(altered), altered).toBeNull()
    }
  }
})

test('no bytes with one bit changed pass', () => {
  fc.assert(
    fc.property(payload, fc.nat(), (bytes, n) => {
      const sealed = Buffer.from(rounds.seal(bytes), 'base64url')
      const place = n % (sealed.length * 8)
      sealed.writeUInt8(sealed.readUInt8(place >> 3) ^ (1 << (place & 7)), place >> 3)
      expect(rounds.unseal(sealed.toString('base64url'))).toBeNull()
    }),
  )
})

test('a text cut short or made longer does not pass', () => {
  const text = rounds.seal(Buffer.from('payload'))
  for (const length of text.split('').keys()) expect(rounds.unseal(text.slice(0, length))).toBeNull()
  for (const character of ALPHABET) {
    expect(rounds.unseal(text + character)).toBeNull()
    expect(rounds.unseal(character + text)).toBeNull()
  }
})

test('there is one text per payload: every other spelling of the same bytes is refused', () => {
  // 18 bytes with their MAC are 34, which end on a character of 2 meaningful bits and 4 spare ones.
  const bytes = Buffer.from('\u00fb\u00ef\u00beeighteen octets', 'latin1')
  const text = rounds.seal(bytes)
  const same = (other: string) => Buffer.from(other, 'base64url').equals(Buffer.from(text, 'base64url'))
  const last = ALPHABET.indexOf(text.at(-1) ?? '')
  const spellings = [
    `${text}=`,
    `${text}==`,
    ` ${text}`,
    `${text}\n`,
    `${text.slice(0, 8)} ${text.slice(8)}`,
    `${text.slice(0, 8)}*${text.slice(8)}`,
    text.replaceAll('-', '+').replaceAll('_', '/'),
    text.slice(0, -1) + ALPHABET[last ^ 1],
  ]
  for (const spelling of spellings) {
    expect(spelling).not.toBe(text)
    expect(same(spelling), spelling).toBe(true)
    expect(rounds.unseal(spelling), spelling).toBeNull()
  }
})

test('what was sealed for one use or with another key does not pass', () => {
  const text = rounds.seal(Buffer.from('payload'))
  expect(new Seal(KEY, 'start', AS_IT_IS).unseal(text)).toBeNull()
  expect(new Seal(KEY, 'roun', AS_IT_IS).unseal(text)).toBeNull()
  expect(new Seal(Buffer.alloc(32, 8), 'round', AS_IT_IS).unseal(text)).toBeNull()
})

test('no text at all makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      expect(rounds.unseal(text)).toBeNull()
    }),
  )
})
