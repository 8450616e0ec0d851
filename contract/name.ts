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
const PLAIN = /^(?=.*[A-Za-z\d])[\w\-.' ]{1,32}$/

/**
 * The scripts in use today: Unicode's UAX 31, tables 5 and 7. Those of an entry stand together in a name; beside Chinese,
 * Japanese and Korean letters Latin ones do too.
 */
const SCRIPTS = `
  Latin, Greek, Cyrillic, Han Hiragana Katakana Latin, Hangul Han Latin, Han Bopomofo Latin, Arabic, Armenian, Bengali,
  Devanagari, Ethiopic, Georgian, Gujarati, Gurmukhi, Hebrew, Kannada, Khmer, Lao, Malayalam, Myanmar, Oriya, Sinhala,
  Tamil, Telugu, Thaana, Thai, Tibetan, Adlam, Balinese, Bamum, Batak, Canadian_Aboriginal, Chakma, Cham, Cherokee,
  Hanifi_Rohingya, Javanese, Kayah_Li, Lepcha, Limbu, Lisu, Mandaic, Meetei_Mayek, Miao, Mongolian, Newa, New_Tai_Lue,
  Nko, Nyiakeng_Puachue_Hmong, Ol_Chiki, Osage, Saurashtra, Sundanese, Syloti_Nagri, Syriac, Tai_Le, Tai_Tham, Tai_Viet,
  Tifinagh, Vai, Wancho, Yi`
  .trim()
  .split(/,\s+/)

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
    scripts: new Map<string, RegExp>(),
    /** What a key is made of: letters with their marks, European ones without, and digits; no Arabic stretching. */
    keyed: new RegExp(String.raw`${EUROPEAN}|[\p{L}--\u0640]${MARK}*|\p{N}`, 'gv'),
  }
}

/** Brings a name to its one spelling and checks it. */
export function checkName(raw: string): NameCheck {
  if (raw.length > NAME_MAX_LENGTH) return refuse(NAME_LIMIT)
  const name = normalise(raw)
  if (name === '') return { ok: false, blank: true, problem: PAGE_PROBLEMS.blank_username.title }
  if (PLAIN.test(name)) return { ok: true, name }
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
  return exceptEmoji(normalise(name), text => fold((text.normalize('NFKD').match(keyed) ?? []).join('')))
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
function exceptEmoji(name: string, change: (text: string) => string): string {
  const { emojiPart, emoji } = takeTools()
  if (!emojiPart.test(name)) return change(name)
  // Split by a group, the emoji stand at the odd places.
  const parts = name.split(emoji)
  return parts.map((part, place) => (place % 2 === 0 ? change(part) : part)).join('')
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
  const { shared, scripts } = takeTools()
  const letters = text.replace(shared, '')
  return SCRIPTS.some(names => {
    const known = scripts.get(names) ?? new RegExp(`^[${names.split(' ').map(classOf).join('')}]*$`, 'v')
    scripts.set(names, known)
    return known.test(letters)
  })
}

/** Letters of Europe have two cases: what has none is a small capital or a phonetic sign, and looks like another. */
function classOf(script: string): string {
  if (['Latin', 'Greek', 'Cyrillic'].includes(script)) return String.raw`[\p{sc=${script}}&&\p{CWCM}]`
  return String.raw`\p{scx=${script}}`
}

function refuse(problem: string): NameCheck {
  return { ok: false, blank: false, problem }
}
