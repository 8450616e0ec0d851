import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkName, NAME_MAX_GRAPHEMES, nameKey } from './name.ts'

describe('a name may be', () => {
  test.each([
    ['plain', 'Swift Otter 427'],
    ['one character', 'a'],
    ['32 characters', 'x'.repeat(32)],
    ['HTML, which is only text', '<b onclick="x()">Bob</b> &amp;'],
    ['SQL, which is only text', "'; drop table users; --"],
    ['from right to left', 'שלום עולם'],
    ['Arabic', 'مرحبا'],
    ['Chinese', '計時大師'],
    ['Devanagari with vowel signs', 'हिन्दी'],
    ['Hebrew with points and accents', 'בְּרֵאשִׁ֖ית'],
    ['Vietnamese', 'Nguyễn Thị Ngọc'],
    ['digits and signs only', '*** 007 ***'],
    ['Thai with tone marks', 'น้ำแข็ง'],
    ['an emoji', '🏆'],
    ['an emoji with a variation selector', 'I ❤️ TAPS'],
    ['a family, which is joined', '👨‍👩‍👧‍👦'],
    ['an emoji with a skin tone', '👍🏽'],
    ['a flag', '🇨🇭'],
    ['a keycap', '1️⃣'],
    ['32 emoji of three code points each', '👩‍🚀'.repeat(32)],
  ])('%s', (_, name) => {
    expect(checkName(name)).toEqual({ ok: true, name })
  })
})

describe('a name is refused when it has', () => {
  test.each([
    ['33 characters', 'x'.repeat(33)],
    ['more code units than are looked at', '👨‍👩‍👧‍👦'.repeat(19)],
    ['NUL', 'a\0b'],
    ['a line feed', 'a\nb'],
    ['an escape', 'a\u001b[31mb'],
    ['a C1 control', 'a\u0085b'],
    ['a zero-width space', 'a\u200bb'],
    ['a zero-width joiner outside an emoji', 'a\u200db'],
    ['a zero-width non-joiner', 'a\u200cb'],
    ['a byte order mark inside', 'a\ufeffb'],
    ['a word joiner', 'a\u2060b'],
    ['a right-to-left override', 'a\u202eb'],
    ['a left-to-right embedding', 'a\u202ab'],
    ['a right-to-left isolate', 'a\u2067b'],
    ['a right-to-left mark', 'a\u200fb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
    ['a variation selector outside an emoji', 'a\ufe0fb'],
    ['a lone surrogate', 'a\ud800b'],
    ['a private character', 'a\ue000b'],
    ['an unassigned code point', 'a\u0378b'],
    ['a tag character', 'a\u{e0041}b'],
    ['a combining grapheme joiner', 'a\u034fb'],
    ['nothing but Hangul fillers', '\u3164\u115f\u1160\uffa0'],
    ['nothing but Braille blanks', '\u2800'],
    ['nothing but zero-width characters', '\u200b\u200d'],
    ['nothing but a musical note without a head', '\u{1d159}'],
    ['nothing but blank hieroglyphs', '\u{13441}\u{13442}'],
    ['nothing but marks that stand on nothing', '\u0332\u0301'],
    ['a tower of marks on a letter', `Z${'\u0351'.repeat(5)}`],
  ])('%s', (_, name) => {
    expect(checkName(name)).toMatchObject({ ok: false, blank: false })
  })
})

test.each([[''], [' '], ['\t \n'], ['\u00a0\u3000']])('%j is blank', name => {
  expect(checkName(name)).toEqual({ ok: false, blank: true, problem: 'Please enter your name first!' })
})

test('spaces around a name go, those inside stay', () => {
  expect(checkName('  Swift  Otter \u00a0')).toEqual({ ok: true, name: 'Swift  Otter' })
})

test('a name is kept in its composed form', () => {
  expect(checkName('Zoe\u0308')).toEqual({ ok: true, name: 'Zo\u00eb' })
})

test('whatever is accepted stays as it is when checked again, and is 1 to 32 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), raw => {
      const check = checkName(raw)
      if (!check.ok) return
      expect(checkName(check.name)).toEqual(check)
      const length = [...new Intl.Segmenter('en').segment(check.name)].length
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThanOrEqual(NAME_MAX_GRAPHEMES)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['letter case', 'SWIFT Otter', 'swift oTTER'],
  ['composed and decomposed', 'Zo\u00eb', 'Zoe\u0308'],
  ['full width', 'Ｏｔｔｅｒ', 'otter'],
  ['ligatures', 'ﬁsh', 'Fish'],
  ['Cyrillic case', 'ВЫДРА', 'выдра'],
])('%s makes no other account name', (_, one, other) => {
  expect(nameKey(one)).toBe(nameKey(other))
})

test('names of different letters are different account names', () => {
  expect(new Set(['otter', 'otter 1', 'öttér', 'о́ttеr'].map(nameKey)).size).toBe(4)
})

test('a key is its own key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), raw => {
      expect(nameKey(nameKey(raw))).toBe(nameKey(raw))
    }),
    { numRuns: 2_000 },
  )
})
