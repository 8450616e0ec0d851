import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { anyName, fc } from '../tests/support/properties.ts'
import { Random } from '../tests/support/random.ts'
import { checkName } from './name.ts'
import { nameKey } from './name-key.ts'

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

test('gives a name the same key with and without its joiners', () => {
  for (const name of ['علی‌رضا', 'ශ්‍රීමතී', 'র‍্যান্ডি', 'अक्‍ष', 'क्‌ष', 'മന്‍']) {
    expect(name).toMatch(/[\u200c\u200d]/)
    expect(nameKey(name)).toBe(nameKey(name.replace(/[\u200c\u200d]/g, '')))
  }
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
    fc.property(anyName, raw => {
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

const SIGNS = " |-|_|.|'|!|?|&|+|(|)|,|0|7|9|１"
/** Parts of names, and a hash of 700 random names of these parts with their keys. */
test.each([
  ['Latin', 'a|Z|é|e\u0301|ß|ı|İ|ł|Ø|Ə|ñ|ữ|ﬁ|’|ʼ|Ｋ|ŉ', '3361a4c6a64c4e3e'],
  ['Greek', 'α|Σ|ς|ά|ᾯ|ΐ|ω|ῥ', '70d10e34bc95d7dd'],
  ['Cyrillic', 'а|Й|и\u0306|ї|Ё|ж|ґ|ў', '949c8053150bac74'],
  ['Japanese', '木|田|か|が|か\u3099|サ|ー|ｶ|ﾞ|K|o', '85bd745e8fa70531'],
  ['Korean', '김|철|\u1100\u1161|\u11a8|金|ㅋ|ﾡ', 'bc15fd33f7f7b598'],
  ['Hebrew', 'ש|ל|מ\u05b4|י|ם|בּ|ﬡ', '8452050aca27e6cf'],
  ['Arabic', 'م|ح|م\u0651|د|ـ|ی|ﻻ|٣|أ|آ|ﷲ', 'a63a2db355cff56e'],
  ['Devanagari', 'क|ि|न\u094d|द|ी|ज़|१|ं', '305560194ecd33fa'],
  ['Bengali', 'ভ|ট\u09cd|া|চ|র|য|ো|য়|২', '3c33d86bcbd951b4'],
  ['Sinhala', 'ශ|\u0dca|ර|ී|ක|ෝ', '51a6b2c1062e0100'],
  ['Malayalam', 'മ|ല|യ|ാ|\u0d4d|ൻ|ർ|ം', '7cf2f1e0a863de29'],
  ['Thai', 'น|้|ำ|ข|แ|ก|ุ|๓|\u0e3a', '58aa261f8350c465'],
  ['Burmese', 'က|ျ|ေ|ာ|\u103a|\u1039|မ', 'f0ca8e2828a2299e'],
  ['Khmer', 'ខ|\u17d2|ញ|ុ|ំ|ក', '78dcd1db41ea9971'],
  ['emoji', '🏆|❤️|👍🏽|👩‍🚀|👨‍👩‍👧‍👦|1️⃣|#️⃣|🇨🇭|🇺🇲|🇺🇸|🅰️|🅱|⭕|Ⓜ️|🆎|ℹ️|㊗️|🏴󠁧󠁢󠁥󠁮󠁧󠁿|a|B|й|木', '2388c98ee2ba6ce2'],
])('gives 700 valid names of %s the stored keys of earlier releases', (_, letters, hash) => {
  const parts = `${letters}|${SIGNS}`.split('|') as [string, ...string[]]
  const random = new Random(1)
  const keys = new Map<string, string>()
  while (keys.size < 700) {
    const raw = Array.from({ length: random.whole(1, 12) }, () => random.pick(parts)).join('')
    const check = checkName(raw)
    if (check.ok) keys.set(check.name, nameKey(check.name))
  }
  expect(
    createHash('sha256')
      .update(JSON.stringify([...keys]))
      .digest('hex')
      .slice(0, 16),
  ).toBe(hash)
})
