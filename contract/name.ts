/**
 * Which names are allowed, and when two names are the same. The page checks names to answer at once, the server to decide.
 */

import { PAGE_PROBLEMS } from './problems.ts'
import { NAME_LIMIT, NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

/** The name shown for attempts of a deleted account. */
export const DELETED_NAME = 'Deleted player'
/** The name shown in place of one that an operator has hidden. */
export const HIDDEN_NAME = 'Hidden player'

/** A name in the form to be stored, or the reason why it is refused. */
export type NameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly blank: boolean; readonly problem: string }

const ASCII = /^[ -~]*$/
/** Most names. They pass without the patterns below. */
const PLAIN = /^(?=.*[A-Za-z\d])[\w\-.' ]+$/

/**
 * The scripts in everyday use (Unicode's UAX 31, table 5) except Latin. A name may mix the scripts of one entry; with an
 * entry that contains Han it may also have Latin words: Ken 田中.
 */
const SCRIPTS = `
  Greek, Cyrillic, Han Hiragana Katakana, Hangul Han, Han Bopomofo, Arabic, Armenian, Bengali, Devanagari, Ethiopic,
  Georgian, Gujarati, Gurmukhi, Hebrew, Kannada, Khmer, Lao, Malayalam, Myanmar, Oriya, Sinhala, Tamil, Telugu, Thaana,
  Thai, Tibetan`
  .trim()
  .split(/,\s+/)

/** The Latin letters of living languages. Phonetic letters such as ɑ and Ɩ are left out: they look like others. */
const LATIN = String.raw`[A-Za-z\u00c0-\u017eƠơƯư\u01cd-\u01dc\u01e6-\u01ed\u0200-\u021b\u0226-\u0233ƏəƁɓƊɗƘƙƳƴƐɛƆɔ\u1e00-\u1eff]`

/** Emoji that show letters, and flags that look like another flag, each with what it is compared as. Unicode has no table. */
const SHOWN_AS = new Map(
  `🅰 A, 🅱 B, 🅾 O, 🅿 P, ⭕ O, 🆎 AB, 🆑 CL, 🆒 COOL, 🆓 FREE, 🆔 ID, 🆕 NEW, 🆖 NG, 🆗 OK, 🆘 SOS, 🆙 UP, 🆚 VS,
  🇧🇻 🇳🇴, 🇸🇯 🇳🇴, 🇭🇲 🇦🇺, 🇺🇲 🇺🇸, 🇲🇫 🇫🇷, 🇨🇵 🇫🇷, 🇪🇦 🇪🇸, 🇩🇬 🇮🇴, 🇷🇴 🇹🇩, 🇲🇨 🇮🇩`
    .split(/,\s+/)
    .map(pair => pair.split(' ') as [emoji: string, shown: string]),
)

/** Letters whose accents are ignored when names are compared. */
const EUROPEAN = String.raw`[[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]&&\p{L}]`

/** Marks of all other scripts. */
const MARK = String.raw`[\p{M}--[\u0300-\u036f]]`

type Patterns = ReturnType<typeof makePatterns>
let patterns: Patterns | null = null
/** Made for long names only: it takes 11 of the 16 ms. */
let graphemes: Intl.Segmenter | null = null

/**
 * The patterns for names beyond ASCII. They are made when first needed, which takes 16 ms on a fast core and 64 on a slow
 * phone: too long for a page that is loading.
 */
function getPatterns(): Patterns {
  patterns ??= makePatterns()
  return patterns
}

function makePatterns() {
  return {
    /** Found in every emoji and in few other names. Searching for whole emoji takes 8 µs, for this 0.1. */
    emojiPart: /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u,
    /** Not a skin tone by itself, which would join the sign before it. */
    emoji: /((?!\p{Emoji_Modifier})\p{RGI_Emoji})/gv,
    letter: /\p{L}/gu,
    /** The typographic apostrophes, and the letters that look like them. */
    apostrophes: /[‘’ʻʼ]/g,
    /**
     * Controls, lone surrogates, private use, unassigned, line and paragraph separators, format characters
     * (bidi overrides, zero-width) and the other code points that render as nothing.
     */
    invisible: /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
    forbidden: /[^\p{L}\p{M}\p{Nd}\p{Nl} \-_.']/u,
    /** Marks, with the character that they stand on. */
    marked: /(\P{M}|^)(\p{M}+)/gu,
    european: new RegExp(EUROPEAN, 'v'),
    /** Accents that may follow a European letter without being composed with it. */
    accent: /^[\u0300-\u0304\u030c]$/,
    /** At most two stacked marks. Spacing marks may follow: the Burmese name Kyaw has four marks on a letter. */
    marks: new RegExp(String.raw`^(?!(?:\p{Mc}*\p{Mn}){3})${MARK}{1,4}$`, 'v'),
    /** Characters of no script, and the accents, which `carriesMarks` has checked. */
    shared: /[\u0300-\u036f\d \-_.']/g,
    latin: new RegExp(`^${LATIN}*$`, 'v'),
    scripts: SCRIPTS.map(names => new RegExp(`^${classOf(names)}*$`, 'v')),
    besideLatin: SCRIPTS.filter(names => /Han/.test(names)).map(toPair),
    /** What a key consists of: European letters without marks, other letters with theirs, digits; no Arabic tatweel. */
    keyed: new RegExp(String.raw`${EUROPEAN}|[\p{L}--\u0640]${MARK}*|\p{N}`, 'gv'),
  }
}

/** Brings a name to its one spelling and checks it. */
export function checkName(raw: string): NameCheck {
  if (raw.length > NAME_MAX_LENGTH) return refuse(NAME_LIMIT)
  const name = normalise(raw)
  if (name === '') return { ok: false, blank: true, problem: PAGE_PROBLEMS.blank_username.title }
  if (name.length <= NAME_MAX_GRAPHEMES && PLAIN.test(name)) return { ok: true, name }
  const problem = problemOf(name)
  return problem === null ? { ok: true, name } : refuse(problem)
}

/**
 * The form in which names are compared: two names are the same when their letters, digits and emoji agree without case,
 * spaces and punctuation, and, in Latin, Greek and Cyrillic, without accents. Of any text; empty when that has none.
 */
export function nameKey(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase().replace(/[^a-z\d]+/g, '')
  const { keyed } = getPatterns()
  // Normalised first: ʼ is a letter, and with it anywhere in a name guessers had ten more tries for that name.
  const text = spellOut(normalise(name))
  return exceptEmoji(text, part => fold((part.normalize('NFKD').match(keyed) ?? []).join('')))
}

/** Replaces emoji that show letters or digits by these: 🅰️ becomes A, and 1️⃣ becomes 1. */
export function spellOut(name: string): string {
  return exceptEmoji(name, part => part, shownBy)
}

function shownBy(emoji: string): string {
  // The first code point, without selectors and the frame of a keycap.
  const [sign = ''] = emoji
  const plain = sign.normalize('NFKC')
  return SHOWN_AS.get(sign) ?? SHOWN_AS.get(emoji) ?? (/^[\p{L}\p{N}]+$/u.test(plain) ? plain : emoji)
}

/** Removes case. Lower case alone would keep ς apart from σ, ß from ss, and ı from I. */
function fold(letters: string): string {
  const folded = letters.toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll('ς', 'σ').normalize('NFKC')
}

function normalise(raw: string): string {
  const trimmed = raw.trim()
  const text = ASCII.test(trimmed) ? trimmed : exceptEmoji(trimmed, compose)
  return text.replace(/ +/g, ' ').trim()
}

/** NFKC, but with the Thai and the Lao vowel AM in one piece. */
function compose(text: string): string {
  // Apostrophes afterwards: NFKC makes one of ŉ.
  const composed = text.normalize('NFKC').replace(getPatterns().apostrophes, "'")
  return composed.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')
}

/** Changes the text between emoji. Emoji contain joiners and selectors that are forbidden anywhere else. */
function exceptEmoji(
  name: string,
  change: (text: string) => string,
  changeEmoji = (emoji: string) => emoji,
): string {
  const { emojiPart, emoji } = getPatterns()
  if (!emojiPart.test(name)) return change(name)
  // Splitting by a group puts the emoji at the odd places.
  const parts = name.split(emoji)
  return parts.map((part, place) => (place % 2 === 0 ? change(part) : changeEmoji(part))).join('')
}

/** What is wrong with a normalised name, in plain words. */
function problemOf(name: string): string | null {
  const { emojiPart, emoji, letter, invisible, forbidden, keyed } = getPatterns()
  if (name.length > NAME_MAX_LENGTH || countGraphemes(name) > NAME_MAX_GRAPHEMES) return NAME_LIMIT
  // A space in place of each emoji: no mark can stand on it.
  const text = emojiPart.test(name) ? name.replace(emoji, ' ') : name
  // Jamo and letters joined by a virama count as one character, however many they are.
  if ((text.match(letter)?.length ?? 0) > NAME_MAX_GRAPHEMES) return NAME_LIMIT
  if (invisible.test(text)) return 'A name cannot contain invisible or control characters'
  const [refused] = forbidden.exec(text) ?? []
  if (refused) return `A name cannot contain ${refused}, only letters, digits, spaces, emoji and - _ . '`
  if (!carriesMarks(text)) return 'A name needs letters, with no more marks than they can carry'
  if (!isOfOneScript(text)) return 'A name keeps to the everyday letters of one script'
  if (text === name && text.normalize('NFKD').search(keyed) === -1)
    return 'A name needs a letter, a digit or an emoji'
  return null
}

function countGraphemes(name: string): number {
  if (name.length <= NAME_MAX_GRAPHEMES) return name.length
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(name)).length
}

/** Whether each mark stands on a letter that can carry it. */
function carriesMarks(text: string): boolean {
  const { marked, european, accent, marks } = getPatterns()
  return Array.from(text.matchAll(marked)).every(([, letter = '', pile = '']) => {
    if (!/\p{L}|\p{Nl}/u.test(letter)) return false
    if (!european.test(letter)) return marks.test(pile)
    // Only on a letter that already has one, as in Yoruba ọ̀: with a single accent the two would have been composed.
    return accent.test(pile) && letter.normalize('NFD').length === 2
  })
}

function isOfOneScript(text: string): boolean {
  const { shared, latin, scripts, besideLatin } = getPatterns()
  const letters = text.replace(shared, '')
  if (latin.test(letters) || scripts.some(script => script.test(letters))) return true
  const words = text.replace(/[\u0300-\u036f]/g, '').split(/[\d \-_.']+/)
  // At least two: a single sign can pass for a Latin letter, as in Adm丨n and M〇derator.
  return besideLatin.some(
    ({ word, letter }) => words.every(each => word.test(each)) && (text.match(letter)?.length ?? 0) >= 2,
  )
}

/** A class of the letters of these scripts, with the marks, digits and strokes that they share with others. */
function classOf(names: string): string {
  const classes = names.split(' ').map(script => {
    // Only letters with two cases: the others are small capitals, which look like other letters.
    if (script === 'Greek' || script === 'Cyrillic') return String.raw`[\p{sc=${script}}&&\p{CWCM}]`
    return String.raw`\p{sc=${script}}[\p{scx=${script}}&&[\p{M}\p{Nd}ـー]]`
  })
  return `[${classes.join('')}]`
}

/** Patterns of a word in Latin letters, in these scripts' letters, or in one after the other; and of one such letter. */
function toPair(names: string) {
  const other = classOf(names)
  return {
    word: new RegExp(`^(?:${LATIN}*${other}*|${other}*${LATIN}*)$`, 'v'),
    letter: new RegExp(other, 'gv'),
  }
}

function refuse(problem: string): NameCheck {
  return { ok: false, blank: false, problem }
}
