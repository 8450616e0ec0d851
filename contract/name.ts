/** Checks names, for the page and for the server. */

import { EMOJI, normaliseName, squeeze, withoutInvisible, withoutJoiners } from './name-text.ts'
import { BLANK_USERNAME } from './problems.ts'
import { NAME_LIMIT, NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

export const DELETED_NAME = 'Deleted player'
export const HIDDEN_NAME = 'Hidden player'

export type NameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly blank: boolean; readonly problem: string }

/** Accepts most valid names early. The first use of the patterns below takes 40 ms on a slow phone. */
const PLAIN = /^(?=.*[A-Za-z\d])[\w\-.'!?&+(), ]+$/

/** Control, private and unassigned characters and line separators; name-text.ts removes the other invisible ones. */
const CONTROL = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u
const FORBIDDEN = /[^\p{L}\p{M}\p{Nd}\p{Nl} \-_.'!?&+(),]/u
const ALLOWED = "letters, digits, spaces, emoji and - _ . ' ! ? & + ( ) ,"
const BETWEEN_WORDS = /[\d \-_.'!?&+(),]+/
/** A mark without a letter, three stacked marks, or five marks in a row; Burmese vowels have four marks. */
const STRAY_MARKS = /(?<![\p{L}\p{Nl}\p{M}])\p{M}|(?:\p{Mc}*\p{Mn}){3}|\p{M}{5}/u
/** A letter, except tatweel, which only stretches a word; or a digit. */
const SEEN = /(?!\u0640)[\p{L}\p{N}]/u
const ACCENTS = /[\u0300-\u036f]/g
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
 * Checks and normalises a name. A browser without the flag `v` accepts every name that is neither blank nor too
 * long, and one without `Intl.Segmenter` counts only letters: the server decides, at Start.
 */
export function checkName(raw: string): NameCheck {
  if (raw.length > NAME_MAX_LENGTH) return refuse(NAME_LIMIT)
  const trimmed = squeeze(raw)
  if (trimmed === '') return BLANK
  if (trimmed.length <= NAME_MAX_GRAPHEMES && PLAIN.test(trimmed)) return { ok: true, name: trimmed }
  if (EMOJI === null) return { ok: true, name: trimmed }
  const name = normaliseName(trimmed)
  if (name === '') return BLANK
  const problem = problemOf(name, EMOJI)
  return problem === null ? { ok: true, name } : refuse(problem)
}

/** Returns true for a name that only has too many characters. Runs the patterns only for a long name. */
export function isNameTooLong(raw: string): boolean {
  if (raw.length <= NAME_MAX_GRAPHEMES) return false
  const check = checkName(raw)
  return !check.ok && check.problem === NAME_LIMIT
}

/** Returns why a normalised name is refused, or null. */
function problemOf(name: string, emoji: RegExp): string | null {
  // First, because NFKC makes 18 characters of one, and a long name is slow to check.
  if (name.length > NAME_MAX_LENGTH) return NAME_LIMIT
  // An emoji becomes a space, so a mark after an emoji counts as stray.
  const spelling = name.replace(emoji, ' ')
  const text = withoutJoiners(spelling)
  if (isTooLong(name, text)) return NAME_LIMIT
  if (CONTROL.test(text) || withoutInvisible(spelling) !== spelling)
    return 'A name cannot contain invisible or control characters'
  const [refused] = FORBIDDEN.exec(text) ?? []
  if (refused) return `A name cannot contain ${refused}, only ${ALLOWED}`
  if (STRAY_MARKS.test(text))
    return 'A name cannot have a mark without a letter, or so many marks on one letter'
  if (!isOfOneScript(text)) return 'A name can only use everyday letters of one script'
  const isSeen = spelling !== name || SEEN.test(text)
  return isSeen ? null : 'A name needs a letter, a digit or an emoji'
}

function isTooLong(name: string, text: string): boolean {
  if (name.length <= NAME_MAX_GRAPHEMES) return false
  // Counts letters too, because one grapheme may contain any number of jamo or of letters joined by viramas.
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > NAME_MAX_GRAPHEMES || countGraphemes(name) > NAME_MAX_GRAPHEMES
}

/** Returns 0 in Firefox before 125, which has no `Intl.Segmenter`. */
function countGraphemes(name: string): number {
  return typeof Intl.Segmenter === 'function' ? Array.from(new Intl.Segmenter().segment(name)).length : 0
}

function isOfOneScript(text: string): boolean {
  words ??= [`${LATIN}*`, ...SCRIPTS.trim().split(/,\s+/).map(patternOf)].map(
    pattern => new RegExp(`^(?:${pattern})$`, 'u'),
  )
  const letters = text.replace(ACCENTS, '').split(BETWEEN_WORDS)
  return words.some(word => letters.every(part => word.test(part)))
}

/**
 * Builds the pattern of a word in these scripts. With Han, the word may begin or end with Latin letters. A letter
 * matches in one way only: with two ways, 30 letters would take as long as a billion.
 */
function patternOf(scripts: string): string {
  const names = scripts.split(' ')
  const letters = names.map(name => String.raw`\p{sc=${name}}`).join('')
  const used = names.map(name => String.raw`\p{scx=${name}}`).join('')
  const own = String.raw`(?:(?=[${letters}\p{M}\p{Nd}ـー])[${used}])`
  return scripts.includes('Han') ? `${LATIN}*${own}*|${own}*${LATIN}*` : `${own}*`
}

const BLANK = { ok: false, blank: true, problem: BLANK_USERNAME } as const

function refuse(problem: string): NameCheck {
  return { ok: false, blank: false, problem }
}
