import { expect, test } from 'vitest'
import { anyText, fc } from '../tests/support/properties.ts'
import { checkName, nameKey } from './name.ts'
import { NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

test.each([
  [
    'Latin letters, digits and punctuation',
    ['Swift Otter 427', 'a', '007', 'x'.repeat(32), "O'Hara-Smith_jr. 2", 'Nguyễn Thị Ngọc', 'Ɓala'],
  ],
  ['Latin letters and other signs', ['Tom & Jerry', 'Player (1)', 'C++ fan', 'Who, me?!', '(+1)', '&A']],
  ['letters of another script and signs', ['Том & Джерри', '田中さん (Ken)', 'שלום!', '🏆!?']],
  ['Latin letters with uncomposed accents', ['Adébáyọ̀', 'Əliyev']],
  ['Greek or Cyrillic letters', ['ᾯδή', 'Йосип Їжак']],
  ['right-to-left scripts', ['שלום עולם', 'בְּרֵאשִׁית', 'مرحبا', 'مُحَمَّد', 'مريم ٣']],
  ['Indian scripts with vowel signs', ['हिन्दी', 'ज़िंदगी', 'नमस्ते १२', 'ভট্টাচার্য', 'தமிழ் செல்வன்']],
  ['South East Asian scripts with up to four marks on a letter', ['ကျော်', 'ខ្ញុំ', 'น้ำแข็ง']],
  ['East Asian scripts', ['計時大師', '計時 ㄓㄨ'.normalize('NFKC'), '김철수 金', 'サトー']],
  ['Japanese and Latin letters', ['田中さん サトー Ken', 'Kenさん']],
  ['emoji', ['🏆', 'I ❤️ TAPS', '👨‍👩‍👧‍👦', '👍🏽', '🇨🇭', '1️⃣', '👩‍🚀'.repeat(32)]],
])('accepts a name written in %s', (_, names) => {
  for (const name of names) expect(checkName(name)).toEqual({ ok: true, name })
})

test.each([
  [
    'characters of HTML, SQL or an email address',
    ['<b onclick="x()">Bob</b> &amp;', "'; drop table users; --", 'a@b'],
  ],
  ['only punctuation or symbols', ["-_. '", '!?&+(),', 'a ™ ❤', '½']],
  [
    'quotes, brackets or marks of addresses',
    ['"Bob"', '`Bob`', '#Bob', '@Bob', '[Bob]', 'Bob/Ana', '=1+1', '¿Bob?'],
  ],
  ['letters of two scripts beside signs', ['Том&Jerry', '(Том) Jerry']],
  ['letters of two scripts', ['раураl', 'ΑVΟΚΑDΟ', 'שלום Ana', 'Ana ٣']],
  ['letters of a rare script that looks like Latin', ['ꓮꓓꓟꓲꓠ', 'ꓮꓡꓲꓚꓰ', 'ᏣᎳᎩ', '𓀀𓀁']],
  ['phonetic letters that look like ordinary ones', ['ɑdmin', 'AdmƖn', 'ᴀᴅᴍɪɴ']],
  ['an East Asian character between Latin letters', ['Adm丨n', 'M〇〇derator', 'M〇derator', 'Admㅣn']],
  ['an incomplete emoji', ['a🏽', '🇨']],
  ['a mark that follows no letter', ['🏆\u0301', '1\u0301', '\u0332\u0301']],
  [
    'three marks on one letter',
    [`x${'\u0300'.repeat(3)}`, `ก${'\u0e47'.repeat(3)}`, `م${'\u064e'.repeat(3)}`],
  ],
  ['too many characters', ['x'.repeat(33), '👨‍👩‍👧‍👦'.repeat(19), '\u1100'.repeat(33), `${'क्'.repeat(32)}क`]],
  [
    'only invisible characters',
    ['\u3164\u115f\u1160\uffa0', '\u2800', '\u200b\u200d', '\u{1d159}', '\u{13441}\u{13442}', '\u0640\u064e'],
  ],
])('rejects a name with %s', (_, names) => {
  for (const name of names) expect(checkName(name), name).toMatchObject({ ok: false, blank: false })
})

/** Control characters, joiners, zero-width characters, direction marks and unassigned code points. */
const INVISIBLE = [
  ...['\0', '\n', '\u001b[31m', '\u0085', '\u200b', '\u200c', '\u200d', '\ufeff', '\u2060', '\u00ad'],
  ...['\u202e', '\u202a', '\u2067', '\u200f', '\u2028', '\u2029', '\ufe0f', '\u034f'],
  ...['\ud800', '\ue000', '\u0378', '\u{e0041}'],
]

test.each(INVISIBLE)('rejects a name with %j between its letters', invisible => {
  const problem = 'A name cannot contain invisible or control characters'
  expect(checkName(`a${invisible}b`)).toEqual({ ok: false, blank: false, problem })
})

test.each([[''], [' '], ['\t \n'], ['\u00a0\u3000']])('reports %j as blank', name => {
  expect(checkName(name)).toEqual({ ok: false, blank: true, problem: 'Please enter your name first!' })
})

test.each([
  ['outer spaces are removed and inner spaces merged', '  Swift  Otter \u00a0', 'Swift Otter'],
  ['accents are composed', 'Zoe\u0308', 'Zo\u00eb'],
  ['full-width characters become narrow', 'Ｏｔｔｅｒ\u3000１', 'Otter 1'],
  ['a typographic apostrophe becomes plain', 'O’Hara', "O'Hara"],
  ['an emoji that NFKC would turn into a letter stays', 'Ⓜ️ax ㊗️', 'Ⓜ️ax ㊗️'],
])('normalises a name: %s', (_, raw, name) => {
  expect(checkName(raw)).toEqual({ ok: true, name })
})

test.each([
  ['<b>', "A name cannot contain <, only letters, digits, spaces, emoji and - _ . ' ! ? & + ( ) ,"],
  ['...', 'A name needs a letter, a digit or an emoji'],
  ['раураl', 'A name can only use everyday letters of one script'],
  [`Z${'\u0351'.repeat(5)}`, 'A name cannot have a mark without a letter, or so many marks on one letter'],
  ['x'.repeat(33), 'A name has at most 32 characters'],
])('says why %j is rejected', (name, problem) => {
  expect(checkName(name)).toEqual({ ok: false, blank: false, problem })
})

/** Random text, or a random mix of letters, marks, signs and emoji. */
const anything = fc.oneof(
  anyText(40),
  fc
    .array(
      fc.constantFrom(
        ...[..."aZ0 9-_.'!?&+(),<ßſıİéờΣςйИ木かㅋ가ก็ำम्ा１Ⓜ"],
        ...['\u0301', '\u0307', '\u0345', '\u3099', '\u20e3', '\u0640', '\u064e', '\u0d4e'],
        ...['\ufe0f', '\u200d'],
        ...['🏆', '❤️', '👍🏽', '🏽', '🇨', '🇨🇭', '1️⃣', '👩‍🚀', '  '],
      ),
      { maxLength: 12 },
    )
    .map(parts => parts.join('')),
)

test('accepts only names that have 1 to 32 characters and stay unchanged when checked again', () => {
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

test('accepts ASCII text only if every character is allowed and at least one is a letter or digit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), raw => {
      const name = raw.trim().replace(/ +/g, ' ')
      const isAllowed = /^[A-Za-z0-9 \-_.'!?&+(),]{1,32}$/.test(name) && /[A-Za-z0-9]/.test(name)
      expect(checkName(raw).ok).toBe(isAllowed)
    }),
    { numRuns: 2_000 },
  )
})

/** The key of each spelling, which the database stores. */
test.each([
  ['accents, composed or not', 'zoe', ['Zo\u00eb', 'Zoe\u0308', 'Zoe']],
  ['many accents', 'nguyenthingoc', ['Nguyễn Thị Ngọc', 'nguyen thi ngoc']],
  ['Cyrillic accents', 'иосипіжак', ['Йосип Їжак', 'Иосип Іжак']],
  ['Greek accents and a final sigma', 'αθηνασοφοσ', ['Ἀθηνᾷ Σοφός', 'ΑΘΗΝΑ ΣΟΦΟΣ']],
  ['spaces and punctuation', 'oharasmithjr2', ['O’Hara-Smith jr. 2', "O'Hara-Smith_jr. 2", 'ohara smithjr2']],
  ['other signs', 'tomjerry2', ['Tom & Jerry (2)!', 'tomjerry2']],
  ['a sharp s, and an I with a dot or without', 'strasseii', ['Straße İI', 'STRASSE ıi']],
  ['Hebrew vowels, which stay', 'מִרְיָם3', ['מִרְיָם 3']],
  ['Arabic stretching', 'محمد', ['محـــمد', 'محمد']],
  ['Indian vowels, which stay', 'हिन्दी१२', ['हिन्दी १२']],
  ['Thai marks, which stay', 'น้ําแข็ง', ['น้ำแข็ง']],
  ['full-width letters', 'サトーken', ['サトー Ｋｅｎ', 'サトーKen']],
  ['Korean and Chinese letters', '김철수金', ['김철수 金']],
  ['letters that look like apostrophes', 'otter', ['oʼtʻtʼer', "o't't'er"]],
  ['a superscript digit in a keycap emoji', '2', ['²️⃣', '2️⃣']],
  ['emoji that show letters or digits', 'alicem1', ['🅰️lice Ⓜ️ 1️⃣', 'Alice M 1']],
  ['a flag that looks like another', 'i❤️taps🇺🇸👩‍🚀', ['I ❤️ TAPS 🇺🇲 👩‍🚀', 'I ❤️ TAPS 🇺🇸 👩‍🚀']],
])('gives every spelling the stored key of earlier releases: %s', (_, key, names) => {
  expect(names.map(nameKey)).toEqual(names.map(() => key))
})

test('gives different keys to names that differ in letters, digits, emoji or letter marks', () => {
  const letters = ['otter', 'øtter', 'оттер', 'かき', 'がき', 'कि', 'क', 'M']
  const names = [...letters, 'otter 1', 'otter 🏆', 'otter 🎯', 'otter 🇨🇭', 'otter 🇩🇪']
  expect(new Set(names.map(nameKey)).size).toBe(names.length)
})

test('gives an empty key to text without letters, digits or emoji', () => {
  expect(nameKey('')).toBe('')
  expect(nameKey("- _ . ' ! ? & + ( ) , <>\u0301\u200d\u{1f3fd}")).toBe('')
})

test('maps every key to itself', () => {
  fc.assert(
    fc.property(anything, raw => {
      expect(nameKey(nameKey(raw))).toBe(nameKey(raw))
    }),
    { numRuns: 2_000, examples: [['ŉ']] },
  )
})

test('gives a normalised name the same key as its raw spelling', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZé木７² -ʼʻ’‘\u0301🏆️⃣') }), raw => {
      const check = checkName(raw)
      if (check.ok) expect(nameKey(raw)).toBe(nameKey(check.name))
    }),
    { numRuns: 2_000 },
  )
})

test('gives upper and lower case the same key', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZßẞıİiIéΣςσΐЙйИԱև -7木🏆🆎') }), name => {
      expect(nameKey(name.toLowerCase())).toBe(nameKey(name))
      expect(nameKey(name.toUpperCase())).toBe(nameKey(name))
    }),
    { numRuns: 2_000 },
  )
})
