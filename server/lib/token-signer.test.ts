import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anyText, fc } from '../../tests/support/properties.ts'
import { TokenSigner } from './token-signer.ts'

const KEY = Buffer.alloc(32, 7)
const rounds = new TokenSigner(KEY, 'round')
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'

const payload = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 60 })

test('signs text as a cookie-safe token that every node can verify', () => {
  const elsewhere = new TokenSigner(KEY, 'round')
  fc.assert(
    fc.property(payload, text => {
      const token = rounds.sign(text)
      expect(token).toMatch(/^[\w.-]+$/)
      expect(rounds.verify(token)).toBe(text)
      expect(elsewhere.verify(token)).toBe(text)
      expect(elsewhere.verify(token)).toBe(text)
    }),
  )
})

test('computes the MAC of a token once, however often the token is sent again', () => {
  onTestFinished(syncBuiltinESMExports)
  const createHmac = vi.spyOn(crypto, 'createHmac')
  onTestFinished(() => createHmac.mockRestore())
  syncBuiltinESMExports()
  const signer = new TokenSigner(KEY, 'round')
  const token = signer.sign('own')
  const foreign = rounds.sign('foreign')
  const macs = createHmac.mock.calls.length
  for (let n = 0; n < 3; n += 1)
    expect([signer.verify(token), signer.verify(foreign)]).toEqual(['own', 'foreign'])
  expect(createHmac.mock.calls.length - macs).toBe(1)
})

test('verifies a token whose text has left the cache', () => {
  const token = rounds.sign('the-first')
  for (let n = 0; n < 20_000; n += 1) rounds.sign(`another-${n}`)
  expect(rounds.verify(token)).toBe('the-first')
})

test('refuses a token with one changed character', () => {
  const text = rounds.sign('seventeen-letters')
  for (const place of text.split('').keys()) {
    for (const character of ALPHABET) {
      if (character === text[place]) continue
      const altered = text.slice(0, place) + character + text.slice(place + 1)
      expect(rounds.verify(altered), altered).toBeNull()
    }
  }
})

test('refuses a token for another use or with another key', () => {
  const text = rounds.sign('payload')
  expect(new TokenSigner(KEY, 'start').verify(text)).toBeNull()
  expect(new TokenSigner(KEY, 'roun').verify(text)).toBeNull()
  expect(new TokenSigner(Buffer.alloc(32, 8), 'round').verify(text)).toBeNull()
})

test('refuses arbitrary text without throwing', () => {
  fc.assert(
    fc.property(anyText(200), text => {
      expect(rounds.verify(text)).toBeNull()
    }),
  )
})
