import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenSigner } from './token.ts'

const KEY = Buffer.alloc(32, 7)
const AS_IT_IS = { encode: (bytes: Buffer) => bytes, decode: (bytes: Buffer) => bytes }
const rounds = new TokenSigner(KEY, 'round', AS_IT_IS)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const payload = fc.uint8Array({ minLength: 1, maxLength: 60 }).map(bytes => Buffer.from(bytes))

test('what was sealed comes back, here and elsewhere, and the text fits a header or a cookie as it is', () => {
  const elsewhere = new TokenSigner(KEY, 'round', AS_IT_IS)
  fc.assert(
    fc.property(payload, bytes => {
      const text = rounds.sign(bytes)
      expect(text).toMatch(/^[\w-]+$/)
      expect(rounds.verify(text)).toEqual(bytes)
      expect(elsewhere.verify(text)).toEqual(bytes)
      expect(elsewhere.verify(text)).toEqual(bytes)
    }),
  )
})

test('what was sealed so long ago that it is forgotten comes back all the same', () => {
  const text = rounds.sign(Buffer.from('the first'))
  for (let n = 0; n < 20_000; n += 1) rounds.sign(Buffer.from(`another ${n}`))
  expect(rounds.verify(text)?.toString()).toBe('the first')
})

test('what was sealed with another way of encoding is of another kind, though the key and the use are the same', () => {
  const short = new TokenSigner(KEY, 'round', {
    encode: (text: string) => Buffer.from(text),
    decode: bytes => (bytes.length === 3 ? bytes.toString() : null),
  })
  const long = rounds.sign(Buffer.from('four'))
  expect(short.verify(rounds.sign(Buffer.from('two')))).toBe('two')
  expect(short.verify(long)).toBeNull()
  expect(short.verify(long)).toBeNull()
})

test('no text with one character changed passes', () => {
  const text = rounds.sign(Buffer.from('seventeen octets!'))
  for (const place of text.split('').keys()) {
    for (const character of ALPHABET) {
      if (character === text[place]) continue
      const altered = text.slice(0, place) + character + text.slice(place + 1)
      expect(rounds.verify(altered), altered).toBeNull()
    }
  }
})

test('no bytes with one bit changed pass', () => {
  fc.assert(
    fc.property(payload, fc.nat(), (bytes, n) => {
      const sealed = Buffer.from(rounds.sign(bytes), 'base64url')
      const place = n % (sealed.length * 8)
      sealed.writeUInt8(sealed.readUInt8(place >> 3) ^ (1 << (place & 7)), place >> 3)
      expect(rounds.verify(sealed.toString('base64url'))).toBeNull()
    }),
  )
})

test('a text cut short or made longer does not pass', () => {
  const text = rounds.sign(Buffer.from('payload'))
  for (const length of text.split('').keys()) expect(rounds.verify(text.slice(0, length))).toBeNull()
  for (const character of ALPHABET) {
    expect(rounds.verify(text + character)).toBeNull()
    expect(rounds.verify(character + text)).toBeNull()
  }
})

test('there is one text per payload: every other spelling of the same bytes is refused', () => {
  // 18 bytes with their MAC are 34, which end on a character of 2 meaningful bits and 4 spare ones.
  const bytes = Buffer.from('\u00fb\u00ef\u00beeighteen octets', 'latin1')
  const text = rounds.sign(bytes)
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
    expect(rounds.verify(spelling), spelling).toBeNull()
  }
})

test('what was sealed for one use or with another key does not pass', () => {
  const text = rounds.sign(Buffer.from('payload'))
  expect(new TokenSigner(KEY, 'start', AS_IT_IS).verify(text)).toBeNull()
  expect(new TokenSigner(KEY, 'roun', AS_IT_IS).verify(text)).toBeNull()
  expect(new TokenSigner(Buffer.alloc(32, 8), 'round', AS_IT_IS).verify(text)).toBeNull()
})

test('no text at all makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      expect(rounds.verify(text)).toBeNull()
    }),
  )
})
