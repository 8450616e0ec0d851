/**
 * What a player may be called, and when two names are the same. The same check runs in the page, for a quick word, and
 * on the server.
 */

import { PAGE_PROBLEMS } from './problems.ts'
import { NAME_LIMIT, NAME_MAX_GRAPHEMES, NAME_MAX_LENGTH } from './rules.ts'

/** What an attempt is shown under whose account was deleted. */
export const DELETED_NAME = 'Deleted player'
/** What an attempt is shown under whose name an operator has hidden. */
export const HIDDEN_NAME = 'Hidden player'

/** A name that may be stored, or the plain words for why not. */
export type NameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly blank: boolean; readonly problem: string }

const ASCII = /^[ -~]*$/
/** Most names: they pass without the tools, which would find nothing wrong with them. */
const PLAIN = /^(?=.*[A-Za-z\d])[\w\-.' ]+$/

/**
 * The scripts in everyday use, but Latin: Unicode's UAX 31, table 5. Those of an entry stand together in a name, and beside
 * one with Han Latin words do too: Ken 田中.
 */
const SCRIPTS = `
  Greek, Cyrillic, Han Hiragana Katakana, Hangul Han, Han Bopomofo, Arabic, Armenian, Bengali, Devanagari, Ethiopic,
  Georgian, Gujarati, Gurmukhi, Hebrew, Kannada, Khmer, Lao, Malayalam, Myanmar, Oriya, Sinhala, Tamil, Telugu, Thaana,
  Thai, Tibetan`
  .trim()
  .split(/,\s+/)

/** The Latin letters of living languages: those of phonetics, ɑ or Ɩ, pass for others. */
const LATIN = String.raw`[A-Za-z\u00c0-\u017eƠơƯư\u01cd-\u01dc\u01e6-\u01ed\u0200-\u021b\u0226-\u0233ƏəƁɓƊɗƘƙƳƴƐɛƆɔ\u1e00-\u1eff]`

/** Emoji of letters, which Unicode does not say. */
const LETTERS_SHOWN: Readonly<Record<string, string>> = {
  ...{
    '🅰': 'A',
    '🅱': 'B',
    '🅾': 'O',
    '🅿': 'P',
    '⭕': 'O',
    '🆎': 'AB',
    '🆑': 'CL',
    '🆒': 'COOL',
    '🆓': 'FREE',
  },
  ...{ '🆔': 'ID', '🆕': 'NEW', '🆖': 'NG', '🆗': 'OK', '🆘': 'SOS', '🆙': 'UP', '🆚': 'VS' },
}

/** Flags that are drawn like another one. */
const SAME_FLAGS: Readonly<Record<string, string>> = {
  ...{ '🇧🇻': '🇳🇴', '🇸🇯': '🇳🇴', '🇭🇲': '🇦🇺', '🇺🇲': '🇺🇸', '🇲🇫': '🇫🇷', '🇨🇵': '🇫🇷', '🇪🇦': '🇪🇸', '🇩🇬': '🇮🇴' },
  ...{ '🇷🇴': '🇹🇩', '🇲🇨': '🇮🇩' },
}

/** The letters whose accents make no other name. */
const EUROPEAN = String.raw`[[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]&&\p{L}]`

/** The marks of all other scripts. */
const MARK = String.raw`[\p{M}--[\u0300-\u036f]]`

type Tools = ReturnType<typeof makeTools>
let tools: Tools | null = null
/** For long names only: 11 of the 16 ms. */
let graphemes: Intl.Segmenter | null = null

/**
 * What takes a name beyond ASCII apart, made when first needed: 16 ms of a fast core, 64 of a slow phone, which a page
 * that is loading does not have.
 */
function takeTools(): Tools {
  tools ??= makeTools()
  return tools
}

function makeTools() {
  return {
    /** Of every emoji and few other names: looking for all emoji takes 8 µs, this 0.1. */
    emojiPart: /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u,
    /** A skin tone alone would join what stands before it. */
    emoji: /((?!\p{Emoji_Modifier})\p{RGI_Emoji})/gv,
    /** The typographic apostrophe, its opening twin and the letters that look like them. */
    apostrophes: /[‘’ʻʼ]/g,
    /**
     * Controls, lone surrogates, private use, unassigned, line and paragraph separators, format characters
     * (bidi overrides, zero-width) and the other code points that render as nothing.
     */
    invisible: /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
    sign: /[^\p{L}\p{M}\p{Nd}\p{Nl} \-_.']/u,
    /** Marks, and what they stand on. */
    marked: /(\P{M}|^)(\p{M}+)/gu,
    european: new RegExp(EUROPEAN, 'v'),
    /** Accents that stand on a letter without being composed with it. */
    accent: /^[\u0300-\u0304\u030c]$/,
    /** At most two above and below one another; spacing ones follow, as in Burmese, where Kyaw has four marks. */
    marks: new RegExp(String.raw`^(?!(?:\p{Mc}*\p{Mn}){3})${MARK}{1,4}$`, 'v'),
    /** What no script claims, and the accents, which `marked` has found. */
    shared: /[\u0300-\u036f\d \-_.']/g,
    latin: new RegExp(`^${LATIN}*$`, 'v'),
    scripts: SCRIPTS.map(names => new RegExp(`^${classOf(names)}*$`, 'v')),
    besideLatin: SCRIPTS.filter(names => /Han/.test(names)).map(toPair),
    /** What a key is made of: letters with their marks, European ones without, and digits; no Arabic stretching. */
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
  const { keyed } = takeTools()
  // In its one spelling: ʼ is a letter that a name has for ', and guessers who put it anywhere had ten tries each time.
  const text = spellOut(normalise(name))
  return exceptEmoji(text, part => fold((part.normalize('NFKD').match(keyed) ?? []).join('')))
}

/** With letters and digits in the place of the emoji that show some: 🅰️ is A and 1️⃣ is 1. */
export function spellOut(name: string): string {
  return exceptEmoji(name, part => part, shownBy)
}

function shownBy(emoji: string): string {
  // Without selectors and the frame of a keycap.
  const [sign = ''] = emoji
  const letters = LETTERS_SHOWN[sign] ?? sign.normalize('NFKC')
  return /^[\p{L}\p{N}]+$/u.test(letters) ? letters : (SAME_FLAGS[emoji] ?? emoji)
}

/** Without case: small letters alone would leave ς beside σ, ẞ and ß beside ss, and ı beside I. */
function fold(letters: string): string {
  const folded = letters.toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll('ς', 'σ').normalize('NFKC')
}

function normalise(raw: string): string {
  const trimmed = raw.trim()
  const text = ASCII.test(trimmed) ? trimmed : exceptEmoji(trimmed, compose)
  return text.replace(/ +/g, ' ').trim()
}

/** NFKC, which alone would take the Thai and the Lao vowel AM apart. */
function compose(text: string): string {
  // Apostrophes after it: ŉ holds one.
  const composed = text.normalize('NFKC').replace(takeTools().apostrophes, "'")
  return composed.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3')
}

/** Changes what stands between emoji, which are built with joiners and selectors that are forbidden anywhere else. */
function exceptEmoji(
  name: string,
  change: (text: string) => string,
  changeEmoji = (emoji: string) => emoji,
): string {
  const { emojiPart, emoji } = takeTools()
  if (!emojiPart.test(name)) return change(name)
  // Split by a group, the emoji stand at the odd places.
  const parts = name.split(emoji)
  return parts.map((part, place) => (place % 2 === 0 ? change(part) : changeEmoji(part))).join('')
}

/** What is wrong with a normalised name, in plain words. */
function problemOf(name: string): string | null {
  const { emojiPart, emoji, invisible, sign, keyed } = takeTools()
  if (name.length > NAME_MAX_LENGTH || countGraphemes(name) > NAME_MAX_GRAPHEMES) return NAME_LIMIT
  // A space for an emoji, on which no mark can stand.
  const text = emojiPart.test(name) ? name.replace(emoji, ' ') : name
  if (invisible.test(text)) return 'A name cannot contain invisible or control characters'
  const [refused] = sign.exec(text) ?? []
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

/** Whether each mark stands on a letter that is written so. */
function carriesMarks(text: string): boolean {
  const { marked, european, accent, marks } = takeTools()
  return Array.from(text.matchAll(marked)).every(([, letter = '', pile = '']) => {
    if (!/\p{L}|\p{Nl}/u.test(letter)) return false
    if (!european.test(letter)) return marks.test(pile)
    // On a composed letter alone, as in Yoruba ọ̀: others that are written with an accent are composed with it.
    return accent.test(pile) && letter.normalize('NFD').length === 2
  })
}

function isOfOneScript(text: string): boolean {
  const { shared, latin, scripts, besideLatin } = takeTools()
  const letters = text.replace(shared, '')
  if (latin.test(letters) || scripts.some(script => script.test(letters))) return true
  const words = text.replace(/[\u0300-\u036f]/g, '').split(/[\d \-_.']+/)
  // A single sign among Latin letters passes for one: Adm丨n, M〇derator.
  return besideLatin.some(
    ({ word, letter }) => words.every(each => word.test(each)) && (text.match(letter)?.length ?? 0) >= 2,
  )
}

/** The letters of some scripts, with the marks, digits and strokes that belong to these and to others. */
function classOf(names: string): string {
  const classes = names.split(' ').map(script => {
    // Letters of Europe have two cases: what has none is a small capital, and looks like another.
    if (script === 'Greek' || script === 'Cyrillic') return String.raw`[\p{sc=${script}}&&\p{CWCM}]`
    return String.raw`\p{sc=${script}}[\p{scx=${script}}&&[\p{M}\p{Nd}ـー]]`
  })
  return `[${classes.join('')}]`
}

/** A word of Latin letters, of these scripts' letters, or of the ones followed by the others; and one of their letters. */
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
