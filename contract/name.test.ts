import { describe, expect, test } from 'vitest'
import { anyText } from '../tests/support/any-text.ts'
import { fc } from '../tests/support/properties.ts'
import { checkName, nameKey } from './name.ts'
import { NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

describe('a name may be', () => {
  test.each([
    ['plain', 'Swift Otter 427'],
    ['one character', 'a'],
    ['32 characters', 'x'.repeat(32)],
    ['of all the signs a name may have', "O'Hara-Smith_jr. 2"],
    ['from right to left', 'שלום עולם'],
    ['Arabic', 'مرحبا'],
    ['Chinese', '計時大師'],
    ['Devanagari with vowel signs', 'हिन्दी'],
    ['Hebrew with points', 'בְּרֵאשִׁית'],
    ['Arabic with vowels', 'مُحَمَّد'],
    ['Devanagari with a point, a vowel and a nasal', 'ज़िंदगी'],
    ['Bengali', 'ভট্টাচার্য'],
    ['Tamil', 'தமிழ் செல்வன்'],
    ['Burmese with four marks on a letter', 'ကျော်'],
    ['Khmer', 'ខ្ញុំ'],
    ['Vietnamese', 'Nguyễn Thị Ngọc'],
    ['Yoruba, whose tones are not all composed', 'Adébáyọ̀'],
    ['Greek with three accents that are composed', 'ᾯδή'],
    ['Cyrillic', 'Йосип Їжак'],
    ['Japanese, of three scripts and Latin', '田中さん サトー Ken'],
    ['Korean', '김철수 金'],
    ['Chinese with Bopomofo', '計時 ㄓㄨ'.normalize('NFKC')],
    ['Georgian', 'თამარ'],
    ['Azeri, whose letters are not all composed', 'Əliyev'],
    ['Hausa', 'Ɓala'],
    ['Japanese with its way to say Ken', 'Kenさん'],
    ['Katakana with its stroke', 'サトー'],
    ['Arabic with its own digits', 'مريم ٣'],
    ['Devanagari with its own digits', 'नमस्ते १२'],
    ['digits only', '007'],
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
    ['the signs of HTML', '<b onclick="x()">Bob</b> &amp;'],
    ['the signs of SQL', "'; drop table users; --"],
    ['the sign of an address', 'a@b'],
    ['signs only', "-_. '"],
    ['a text symbol', 'a ™ ❤'],
    ['a fraction', '½'],
    ['Latin and Cyrillic letters', 'раураl'],
    ['Latin and Greek letters', 'ΑVΟΚΑDΟ'],
    ['Hebrew and Latin letters', 'שלום Ana'],
    ['letters of a script that few write and that looks like Latin', 'ꓮꓓꓟꓲꓠ'],
    ['one of these, for a name', 'ꓮꓡꓲꓚꓰ'],
    ['Cherokee letters, which look like Latin', 'ᏣᎳᎩ'],
    ['a letter of phonetics', 'ɑdmin'],
    ['a capital of one', 'AdmƖn'],
    ['a Han sign in a Latin word', 'Adm丨n'],
    ['a Han sign beside a Latin word', 'Bob 丨'],
    ['Han signs in the midst of a Latin word', 'M〇〇derator'],
    ['a Han zero in a Latin word', 'M〇derator'],
    ['a Katakana stroke beside Latin', 'Adminー'],
    ['a Hangul letter among Latin ones', 'Admㅣn'],
    ['Arabic digits among Latin letters', 'Ana ٣'],
    ['small capitals of phonetics', 'ᴀᴅᴍɪɴ'],
    ['hieroglyphs', '𓀀𓀁'],
    ['a skin tone on a letter', 'a🏽'],
    ['half a flag', '🇨'],
    ['a mark on an emoji', '🏆\u0301'],
    ['a mark on a digit', '1\u0301'],
    ['an accent on a letter that is not written so', 'x\u030c'],
    ['a stroke through its letters', 's\u0336h\u0336'],
    ['a second accent that no script writes', 'ệ\u0300'],
    ['a Thai tower', `ก${'\u0e47'.repeat(3)}`],
    ['an Arabic tower', `م${'\u064e'.repeat(3)}`],
    ['Latin accents on Hebrew', 'ש\u0301'],
    ['nothing but stretching with a mark', '\u0640\u064e'],
    ['33 characters', 'x'.repeat(33)],
    ['more code units than are looked at', '👨‍👩‍👧‍👦'.repeat(19)],
    ['nothing but Hangul fillers', '\u3164\u115f\u1160\uffa0'],
    ['nothing but Braille blanks', '\u2800'],
    ['nothing but zero-width characters', '\u200b\u200d'],
    ['nothing but a musical note without a head', '\u{1d159}'],
    ['nothing but blank hieroglyphs', '\u{13441}\u{13442}'],
    ['nothing but marks that stand on nothing', '\u0332\u0301'],
  ])('%s', (_, name) => {
    expect(checkName(name)).toMatchObject({ ok: false, blank: false })
  })
})

/** Controls, what joins or has no width, what turns the direction, and what stands for nothing. */
const UNSEEN = [
  ...['\0', '\n', '\u001b[31m', '\u0085', '\u200b', '\u200c', '\u200d', '\ufeff', '\u2060', '\u00ad'],
  ...['\u202e', '\u202a', '\u2067', '\u200f', '\u2028', '\u2029', '\ufe0f', '\u034f'],
  ...['\ud800', '\ue000', '\u0378', '\u{e0041}'],
]

test.each(UNSEEN)('a name is refused when it has %j between its letters', unseen => {
  const problem = 'A name cannot contain invisible or control characters'
  expect(checkName(`a${unseen}b`)).toEqual({ ok: false, blank: false, problem })
})

test.each([[''], [' '], ['\t \n'], ['\u00a0\u3000']])('%j is blank', name => {
  expect(checkName(name)).toEqual({ ok: false, blank: true, problem: 'Please enter your name first!' })
})

test.each([
  ['spaces around it go, and one stays of several inside', '  Swift  Otter \u00a0', 'Swift Otter'],
  ['accents are composed', 'Zoe\u0308', 'Zo\u00eb'],
  ['full width becomes narrow', 'Ｏｔｔｅｒ\u3000１', 'Otter 1'],
  ['a bold letter becomes a letter', '𝐎tter', 'Otter'],
  ['a typographic apostrophe becomes plain', 'O’Hara', "O'Hara"],
  ['a letter that looks like one does too', 'Oʻahu', "O'ahu"],
  ['an emoji stays, in which NFKC sees a letter', 'Ⓜ️ax ㊗️', 'Ⓜ️ax ㊗️'],
])('a name is brought to one spelling: %s', (_, raw, name) => {
  expect(checkName(raw)).toEqual({ ok: true, name })
})

test.each([
  ['<b>', "A name cannot contain <, only letters, digits, spaces, emoji and - _ . '"],
  ['...', 'A name needs a letter, a digit or an emoji'],
  ['раураl', 'A name keeps to the everyday letters of one script'],
  [`Z${'\u0351'.repeat(5)}`, 'A name needs letters, with no more marks than they can carry'],
  ['x'.repeat(33), 'A name has at most 32 characters'],
])('%j is refused with what is wrong', (name, problem) => {
  expect(checkName(name)).toEqual({ ok: false, blank: false, problem })
})

/** Names as people write them and as they do not: a few alphabets, marks, signs and emoji in any order. */
const anything = fc.oneof(
  anyText(40),
  fc
    .array(
      fc.constantFrom(
        ...[..."aZ0 9-_.'<ßſıİéờΣςйИ木かㅋ가ก็ำम्ा１Ⓜ"],
        ...['\u0301', '\u0307', '\u0345', '\u3099', '\u20e3', '\u0640', '\u064e', '\u0d4e'],
        ...['\ufe0f', '\u200d'],
        ...['🏆', '❤️', '👍🏽', '🏽', '🇨', '🇨🇭', '1️⃣', '👩‍🚀', '  '],
      ),
      { maxLength: 12 },
    )
    .map(parts => parts.join('')),
)

test('whatever is accepted stays as it is when checked again, and is 1 to 32 characters', () => {
  fc.assert(
    fc.property(anything, raw => {
      const check = checkName(raw)
      if (!check.ok) return
      expect(checkName(check.name)).toEqual(check)
      expect(check.name.length).toBeLessThanOrEqual(NAME_MAX_LENGTH)
      expect(nameKey(check.name)).not.toBe('')
      const length = [...new Intl.Segmenter('en').segment(check.name)].length
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThanOrEqual(NAME_MAX_GRAPHEMES)
    }),
    { numRuns: 2_000 },
  )
})

test('printable ASCII is accepted when all of it may be in a name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), raw => {
      const name = raw.trim().replace(/ +/g, ' ')
      const may = /^[A-Za-z0-9 \-_.']{1,32}$/.test(name) && /[A-Za-z0-9]/.test(name)
      expect(checkName(raw).ok).toBe(may)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['letter case', 'SWIFT Otter', 'swift oTTER'],
  ['composed and decomposed', 'Zo\u00eb', 'Zoe\u0308'],
  ['accents', 'Zo\u00eb', 'Zoe'],
  ['Vietnamese accents', 'Nguyễn', 'nguyen'],
  ['Cyrillic accents', 'Йосип', 'Иосип'],
  ['Greek accents', 'Ἀθηνᾷ', 'ΑΘΗΝΑ'],
  ['spaces', 'Swift Otter', 'swiftotter'],
  ['punctuation', "O'Hara-Smith_jr.", 'ohara smithjr'],
  ['a final sigma', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['a sharp s', 'STRASSE', 'Straße'],
  ['a capital sharp s', 'STRAẞE', 'strasse'],
  ['a dotless i', 'IŞIK', 'ışık'],
  ['a dotted capital I', 'İpek', 'ipek'],
  ['full width', 'Ｏｔｔｅｒ', 'otter'],
  ['ligatures', 'ﬁsh', 'Fish'],
  ['Cyrillic case', 'ВЫДРА', 'выдра'],
  ['Arabic stretching', 'محـــمد', 'محمد'],
  ['letters that are read as apostrophes', 'oʼtʻtʼer', "o't't'er"],
  ['signs that are read as an emoji', '²️⃣', '2️⃣'],
  ['a letter that is an emoji', '🅰️lice Ⓜ️', 'Alice M'],
  ['a digit that is an emoji', 'Otter 1️⃣', 'Otter 1'],
  ['a flag that is drawn like another', 'Alice🇺🇸', 'Alice🇺🇲'],
])('%s makes no other account name', (_, one, other) => {
  expect(nameKey(one)).toBe(nameKey(other))
})

test('names of different letters, digits or emoji, or of marks that are letters, are different account names', () => {
  const letters = ['otter', 'øtter', 'оттер', 'かき', 'がき', 'कि', 'क', 'M']
  const names = [...letters, 'otter 1', 'otter 🏆', 'otter 🎯', 'otter 🇨🇭', 'otter 🇩🇪']
  expect(new Set(names.map(nameKey)).size).toBe(names.length)
})

test('what is neither letter, digit nor emoji has no key', () => {
  expect(nameKey('')).toBe('')
  expect(nameKey("- _ . ' <>\u0301\u200d\u{1f3fd}")).toBe('')
})

test('a key is its own key', () => {
  fc.assert(
    fc.property(anything, raw => {
      expect(nameKey(nameKey(raw))).toBe(nameKey(raw))
    }),
    { numRuns: 2_000, examples: [['ŉ']] },
  )
})

test('a name has the key of whatever it was written as', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZé木７² -ʼʻ’‘\u0301🏆️⃣') }), raw => {
      const check = checkName(raw)
      if (check.ok) expect(nameKey(raw)).toBe(nameKey(check.name))
    }),
    { numRuns: 2_000 },
  )
})

test('a key knows no case', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZßẞıİiIéΣςσΐЙйИԱև -7木🏆🆎') }), name => {
      expect(nameKey(name.toLowerCase())).toBe(nameKey(name))
      expect(nameKey(name.toUpperCase())).toBe(nameKey(name))
    }),
    { numRuns: 2_000 },
  )
})
