import { afterEach, expect, test, vi } from 'vitest'
import { anyName, fc } from '../tests/support/properties.ts'
import { checkName } from './name.ts'
import { nameKey } from './name-key.ts'
import { NAME_LIMIT, NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

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
  ['only invisible characters', ['\u2800', '\u{1d159}', '\u{13441}\u{13442}', '\u0640\u064e']],
])('rejects a name with %s', (_, names) => {
  for (const name of names) expect(checkName(name), name).toMatchObject({ ok: false, blank: false })
})

test.each([
  ['at the end of a name', 'Marie\u200b', 'Marie'],
  ['before a name', '\u200e Otto', 'Otto'],
  ['around a name', '\u2068Karla\u2069', 'Karla'],
  ['within a word', 'Ma\u00adri\u2060e\ufeff', 'Marie'],
  ['before an accent', 'Zoe\u200c\u0308', 'Zo\u00eb'],
  ['beside emoji, which keep theirs', '\u200b👩‍🚀\u200d❤️\ufe0f a\ufe0f\u{e0041}', '👩‍🚀❤️ a'],
  ['in the place of a letter', 'a\u3164\u115f\u1160\uffa0b', 'ab'],
  ['in scripts that need no joiner', 'Ма\u200dша', 'Маша'],
  ['after the last letter of a Persian word', 'خانه\u200c', 'خانه'],
  ['between Arabic letters, if not the right joiner', 'م\u200dم', 'مم'],
  ['twice', 'علی\u200c\u200c\u200bرضا', 'علی‌رضا'],
])('removes invisible characters %s', (_, raw, name) => {
  expect(checkName(raw)).toEqual({ ok: true, name })
})

test('removes every format character and every ignorable one, except joiners where spelling needs them', () => {
  const isRemoved = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point)
    if (!isRemoved.test(character)) continue
    expect(checkName(`a${character}b`), point.toString(16)).toEqual({ ok: true, name: 'ab' })
  }
})

test.each(['علی‌رضا', 'مُحَمَّدِ‌رضا', 'ශ්‍රීමතී', 'র‍্যান্ডি', 'अक्‍ष', 'क्‌ष', 'മന്‍'])('keeps the joiners of %j', name => {
  expect(name).toMatch(/[\u200c\u200d]/)
  expect(checkName(name)).toEqual({ ok: true, name })
})

test.each(['\0', '\n', '\u001b[31m', '\u0085', '\u2028', '\u2029', '\ud800', '\ue000', '\u0378'])(
  'rejects a name with %j between its letters',
  invisible => {
    const problem = 'A name cannot contain invisible or control characters'
    expect(checkName(`a${invisible}b`)).toEqual({ ok: false, blank: false, problem })
  },
)

test.each([[''], [' '], ['\t \n'], ['\u00a0\u3000'], ['\u200b \u200d'], ['\u3164']])(
  'reports %j as blank',
  name => {
    expect(checkName(name)).toEqual({ ok: false, blank: true, problem: 'Please enter your name first!' })
  },
)

test.each([
  ['outer spaces are removed and inner spaces merged', '  Swift  Otter \u00a0', 'Swift Otter'],
  ['a tab is a space', 'Swift\t\tOtter', 'Swift Otter'],
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

test('accepts only names that have 1 to 32 characters and stay unchanged when checked again', () => {
  fc.assert(
    fc.property(anyName, raw => {
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

test('splits no text into characters that is longer than the longest name, however NFKC expands it', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  for (const character of ['\ufdfa', '\u3307', '⑽', '…', 'x']) {
    expect(checkName(character.repeat(NAME_MAX_LENGTH))).toMatchObject({ ok: false, problem: NAME_LIMIT })
  }
  expect(checkName('👩‍🚀'.repeat(32)).ok).toBe(true)
  expect(segment).toHaveBeenCalled()
  const longest = Math.max(...segment.mock.calls.map(([text]) => text.length))
  expect(longest).toBeLessThanOrEqual(NAME_MAX_LENGTH)
})

/** Returns the shortest of five times that checks of a name took, in ms. */
function timeToCheck(name: string): number {
  const times = Array.from({ length: 5 }, () => {
    const before = performance.now()
    checkName(name)
    return performance.now() - before
  })
  return Math.min(...times)
}

test.each(['ー', 'か\u3099', 'कि', 'ع\u064e', 'ㄓ\u302a', '١', '木a', '각'])(
  'takes no hundred times as long to check 20 letters like %s as two, whatever follows',
  letter => {
    for (const end of ['я', 'ا', 'a', '木', '']) {
      const few = timeToCheck(letter.repeat(2) + end)
      expect(timeToCheck(letter.repeat(20) + end)).toBeLessThan(100 * few)
    }
  },
)

/** Loads the module as Safari 16.4 and Firefox 121 do, without the flag `v` and `Intl.Segmenter`. */
async function inOldBrowser(missing: 'the flag v' | 'Intl.Segmenter') {
  if (missing === 'Intl.Segmenter') {
    vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined })
  } else {
    class OldRegExp extends RegExp {
      constructor(source: string, flags = '') {
        if (flags.includes('v')) throw new SyntaxError('Invalid flags')
        super(source, flags)
      }
    }
    vi.stubGlobal('RegExp', OldRegExp)
  }
  vi.resetModules()
  return import('./name.ts')
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each([['the flag v'], ['Intl.Segmenter']] as const)(
  'accepts valid names and refuses blank and long ones in a browser without %s',
  async missing => {
    const old = await inOldBrowser(missing)
    for (const name of ['Otto', '👩‍🚀'.repeat(32), '田中さん', 'Zoë']) {
      expect(old.checkName(name)).toEqual({ ok: true, name })
    }
    expect(old.checkName(' ')).toMatchObject({ ok: false, blank: true })
    expect(old.checkName('x'.repeat(NAME_MAX_LENGTH + 1))).toMatchObject({ ok: false, problem: NAME_LIMIT })
  },
)
