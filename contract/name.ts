/** Checks and compares names, for the page and for the server. */

import { BLANK_USERNAME } from './problems.ts'
import { NAME_LIMIT, NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

export const DELETED_NAME = 'Deleted player'
export const HIDDEN_NAME = 'Hidden player'

export type NameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly blank: boolean; readonly problem: string }

/** Accepts most valid names early. The first use of the patterns below takes 40 ms on a slow phone. */
const PLAIN = /^(?=.*[A-Za-z\d])[\w\-.'!?&+(), ]+$/

/** Matches an emoji, but not a lone skin tone, which would join the preceding character. */
const EMOJI = /((?!\p{Emoji_Modifier})\p{RGI_Emoji})/gv
const APOSTROPHES = /[‘’ʻʼ]/g
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const FORBIDDEN = /[^\p{L}\p{M}\p{Nd}\p{Nl} \-_.'!?&+(),]/u
const ALLOWED = "letters, digits, spaces, emoji and - _ . ' ! ? & + ( ) ,"
const BETWEEN_WORDS = /[\d \-_.'!?&+(),]+/
/** A mark without a letter, three stacked marks, or five marks in a row; Burmese vowels have four marks. */
const STRAY_MARKS = /(?<![\p{L}\p{Nl}\p{M}])\p{M}|(?:\p{Mc}*\p{Mn}){3}|\p{M}{5}/u
const ACCENTS = /[\u0300-\u036f]/g
/**
 * Parts of a name that its key keeps: numbers, European letters without marks, and other letters with marks
 * (except tatweel).
 */
const KEYED =
  /[[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]&&\p{L}]|[\p{L}--\u0640][\p{M}--[\u0300-\u036f]]*|\p{N}/gv

/**
 * The Latin letters of living languages, except phonetic letters such as ɑ, which look like other letters.
 */
const LATIN = String.raw`[A-Za-z\u00c0-\u017eƠơƯư\u01cd-\u01dc\u01e6-\u01ed\u0200-\u021b\u0226-\u0233ƏəƁɓƊɗƘƙƳƴƐɛƆɔ\u1e00-\u1eff]`
/** Other everyday scripts (UAX 31, table 5). A name may mix the scripts of one entry. */
const SCRIPTS = `
  Greek, Cyrillic, Han Hiragana Katakana, Hangul Han, Han Bopomofo, Arabic, Armenian, Bengali, Devanagari, Ethiopic,
  Georgian, Gujarati, Gurmukhi, Hebrew, Kannada, Khmer, Lao, Malayalam, Myanmar, Oriya, Sinhala, Tamil, Telugu, Thaana,
  Thai, Tibetan`
let words: readonly RegExp[] | undefined

/**
 * Maps emoji to the letters that they show, and flags to flags that look the same. Never change an entry,
 * because the database stores the keys.
 */
const SHOWN_AS = new Map(
  `🅰 A, 🅱 B, 🅾 O, 🅿 P, ⭕ O, 🆎 AB, 🆑 CL, 🆒 COOL, 🆓 FREE, 🆔 ID, 🆕 NEW, 🆖 NG, 🆗 OK, 🆘 SOS, 🆙 UP, 🆚 VS,
  🇧🇻 🇳🇴, 🇸🇯 🇳🇴, 🇭🇲 🇦🇺, 🇺🇲 🇺🇸, 🇲🇫 🇫🇷, 🇨🇵 🇫🇷, 🇪🇦 🇪🇸, 🇩🇬 🇮🇴, 🇷🇴 🇹🇩, 🇲🇨 🇮🇩`
    .split(/,\s+/)
    .map(pair => pair.split(' ') as [emoji: string, shown: string]),
)

export function checkName(raw: string): NameCheck {
  if (raw.length > NAME_MAX_LENGTH) return refuse(NAME_LIMIT)
  const trimmed = squeeze(raw)
  if (trimmed === '') return { ok: false, blank: true, problem: BLANK_USERNAME }
  if (trimmed.length <= NAME_MAX_GRAPHEMES && PLAIN.test(trimmed)) return { ok: true, name: trimmed }
  const name = normalise(trimmed)
  const problem = problemOf(name)
  return problem === null ? { ok: true, name } : refuse(problem)
}

/**
 * Reduces a name to its key for comparisons: letters, digits and emoji, without case, spaces or punctuation.
 * Latin, Greek and Cyrillic letters lose their accents.
 *
 * @returns the key; empty when nothing is left
 */
export function nameKey(name: string): string {
  // Normalise first: ʼ is a letter, so it would create a new key and a fresh set of password guesses.
  const spelled = exceptEmoji(normalise(name), text => text, spellOut)
  return exceptEmoji(spelled, text => fold(text.normalize('NFKD').match(KEYED)?.join('') ?? ''))
}

/** Replaces an emoji with the letters or digits that it shows: 🅰️ becomes A, and 1️⃣ becomes 1. */
function spellOut(emoji: string): string {
  // Drops what follows the first code point: selectors, and the frame of a keycap.
  const [sign = ''] = emoji
  const plain = sign.normalize('NFKC')
  return SHOWN_AS.get(sign) ?? SHOWN_AS.get(emoji) ?? (/^[\p{L}\p{N}]+$/u.test(plain) ? plain : emoji)
}

/** Removes case. Lower case alone would distinguish ς from σ, ß from ss, and ı from I. */
function fold(letters: string): string {
  const folded = letters.toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll('ς', 'σ').normalize('NFKC')
}

function normalise(raw: string): string {
  return squeeze(exceptEmoji(raw.trim(), compose))
}

function squeeze(text: string): string {
  return text.trim().replace(/ +/g, ' ')
}

/** Applies NFKC, but restores the Thai and Lao vowel AM. */
function compose(text: string): string {
  // Applies NFKC first, because it turns ŉ into ʼ and n.
  const composed = text.normalize('NFKC').replace(APOSTROPHES, "'")
  return composed.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')
}

/**
 * Changes text and emoji separately, because emoji contain joiners and selectors that are forbidden
 * elsewhere.
 */
function exceptEmoji(
  name: string,
  change: (text: string) => string,
  changeEmoji = (emoji: string) => emoji,
): string {
  // Splitting by a group leaves the emoji at odd indexes.
  const parts = name.split(EMOJI)
  return parts.map((part, place) => (place % 2 === 0 ? change(part) : changeEmoji(part))).join('')
}

/** Returns why a normalised name is refused, or null. */
function problemOf(name: string): string | null {
  // An emoji becomes a space, so a mark after an emoji counts as stray.
  const text = name.replace(EMOJI, ' ')
  if (isTooLong(name, text)) return NAME_LIMIT
  if (INVISIBLE.test(text)) return 'A name cannot contain invisible or control characters'
  const [refused] = FORBIDDEN.exec(text) ?? []
  if (refused) return `A name cannot contain ${refused}, only ${ALLOWED}`
  if (STRAY_MARKS.test(text))
    return 'A name cannot have a mark without a letter, or so many marks on one letter'
  if (!isOfOneScript(text)) return 'A name can only use everyday letters of one script'
  return nameKey(name) === '' ? 'A name needs a letter, a digit or an emoji' : null
}

function isTooLong(name: string, text: string): boolean {
  if (name.length <= NAME_MAX_GRAPHEMES) return false
  // Counts letters too, because one grapheme may contain any number of jamo or of letters joined by viramas.
  const counts = [Array.from(new Intl.Segmenter().segment(name)).length, text.match(/\p{L}/gu)?.length ?? 0]
  return name.length > NAME_MAX_LENGTH || Math.max(...counts) > NAME_MAX_GRAPHEMES
}

function isOfOneScript(text: string): boolean {
  words ??= [`${LATIN}*`, ...SCRIPTS.trim().split(/,\s+/).map(patternOf)].map(
    pattern => new RegExp(`^(?:${pattern})$`, 'v'),
  )
  const letters = text.replace(ACCENTS, '').split(BETWEEN_WORDS)
  return words.some(word => letters.every(part => word.test(part)))
}

/** Builds the pattern of a word in these scripts. With Han, the word may begin or end with Latin letters. */
function patternOf(scripts: string): string {
  const classes = scripts
    .split(' ')
    .map(script => String.raw`\p{sc=${script}}[\p{scx=${script}}&&[\p{M}\p{Nd}ـー]]`)
  const own = `[${classes.join('')}]`
  return scripts.includes('Han') ? `${LATIN}*${own}*|${own}*${LATIN}*` : `${own}*`
}

function refuse(problem: string): NameCheck {
  return { ok: false, blank: false, problem }
}
