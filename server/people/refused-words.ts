import { DELETED_NAME, HIDDEN_NAME } from '../../contract/name.ts'
import { spellOutEmoji } from '../../contract/name-key.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { StartError } from '../lib/errors.ts'

export const REFUSED_WORDS_FILE = 'refused-words.txt'
/** The most names to remember, each of at most a few hundred bytes. */
const MAX_REMEMBERED = 10_000
/** The fewest letters in an entry; shorter entries would match half of all names. */
const MIN_LETTERS = 3

const MARKS = /\p{M}+/gu
/**
 * Characters between letters. A sign may hide a refused word, but a space separates words, as in Chin Kim.
 */
const BETWEEN_LETTERS = /[^\p{L}\p{N}]+/gu
/** Includes the joiners of names. */
const SIGNS = /[^\p{L}\p{N} ]+/gu
/** Letters that are spelled out, as in f.u.c.k. */
const LONE_LETTERS = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?![\p{L}\p{N}])/gu
/** Digits around a word; the word is refused with or without them. */
const OUTER_DIGITS = /(?<![\p{L}\p{N}])\d+|\d+(?![\p{L}\p{N}])/gu
const LAST_DIGITS = /\d+(?![\p{L}\p{N}])/gu

/** The letters of flags; Windows shows 🇦🇩 as AD. */
const FLAG_LETTERS = /[\u{1f1e6}-\u{1f1ff}]/gu
const FLAG_A = 0x1f1e6
const A = 0x41

/** Digits and the letter l, with the letters they look like. */
const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', l: 'i' }
const DIGITS_AND_L = /[013457l]/g
/** Emoji that show a sign. Keys of names ignore these emoji, so only this check reads them. */
const SIGN_EMOJI: Readonly<Record<string, string>> = { '❗': '!', '❕': '!', '➕': '+' }
/** Signs, with the letters they look like within a word. */
const SIGN_LETTERS: Readonly<Record<string, string>> = { '!': 'i', '+': 't', '(': 'c' }

/** Letters with a stroke or of other scripts, each after the ASCII letter it looks like. */
const LOOK_ALIKES = new Map(
  `aаα bвβɓ cс dđðɗԁ eеεəɛє hнһħ iіιӏ jј kкκƙ lł mмμ nпνŋ oоοøɔ pрρþ rг sѕσς tтτŧ xхχ yуυƴ`
    .split(' ')
    .flatMap(([letter = '', ...others]) => others.map(other => [other, letter] as const)),
)
const LOOK_ALIKE = new RegExp(`[${[...LOOK_ALIKES.keys()].join('')}]`, 'g')

/** Words that no name may contain: even "Admin Bob" pretends to speak for the game. */
const OPERATOR_WORDS = 'admin admins administrator administrators sysadmin moderator moderators'.split(' ')
const OPERATOR_ENTRIES = OPERATOR_WORDS.map(toEntry)
const OPERATOR_PARTS = OPERATOR_WORDS.map(word => toEntry(`*${word}*`))

/** Matches an operator word with a digit in the place of one letter, such as 1dmin. */
const OPERATOR_WITH_DIGIT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${OPERATOR_WORDS.flatMap(withDigit).join('|')})\d*(?![\p{L}\p{N}])`,
  'u',
)

/** Words that cannot form a whole name: "Root Beer" is allowed, but "TAPS Support" is refused. */
const OPERATOR_NAMES = [
  ...['TAPS', 'mod', 'mods', 'system', 'root', 'support', 'staff', 'official', 'operator', 'superuser'],
  ...['teacher', 'Lehrer', 'Lehrerin', 'professeur', 'profesor', 'profesora', 'insegnante', 'nauczyciel'],
  ...[DELETED_NAME, HIDDEN_NAME],
]
const RESERVED = new RegExp(
  `^(?:the|team)?(?:${[...OPERATOR_WORDS, ...OPERATOR_NAMES].map(foldWord).join('|')})+(?:team)?$`,
)

/** Returns whether a name is refused. */
export type RefusedNameCheck = (name: string) => boolean

/**
 * Creates a check of names against the operator words and a list of refused words, one entry per line.
 *
 * @throws {StartError} for an entry that is too short
 */
export function createRefusedNameCheck(list: readonly string[]): RefusedNameCheck {
  const entries = [...list.map(toEntry), ...OPERATOR_ENTRIES]
  // A check takes 9 µs, and each round and board checks the same names again.
  const known = new BoundedMap<boolean>(MAX_REMEMBERED)
  return name => {
    const before = known.get(name)
    if (before !== undefined) return before
    const plain = fold(name)
    const refused = isRefused(plain, entries) || looksLikeOperator(plain)
    known.set(name, refused)
    return refused
  }
}

/** Returns whether a name with look-alike letters reads as an operator's, even with letters around the word. */
function looksLikeOperator(plain: string): boolean {
  if (OPERATOR_WITH_DIGIT.test(plain.replace(SIGNS, ''))) return true
  const read = plain.replace(LOOK_ALIKE, letter => LOOK_ALIKES.get(letter) ?? letter)
  return read !== plain && isRefused(read, OPERATOR_PARTS)
}

function isRefused(plain: string, entries: readonly string[]): boolean {
  // A leading digit and some signs may stand for a letter, as in 4dm!n7.
  const spellings = [plain, plain.replace(/[!+(]/g, sign => SIGN_LETTERS[sign] ?? sign)]
  const forms = spellings.flatMap(text => [
    text,
    text.replace(OUTER_DIGITS, ''),
    text.replace(LAST_DIGITS, ''),
  ])
  return Array.from(new Set(forms)).some(form => contains(form, entries))
}

/** @param entries - Words, each with a space where the word must begin or end. */
function contains(plain: string, entries: readonly string[]): boolean {
  const text = readDigits(plain)
  const words = text.replace(SIGNS, '')
  const whole = words.replaceAll(' ', '')
  if (RESERVED.test(whole)) return true
  const spelledOut = (text.match(LONE_LETTERS) ?? []).join('')
  const readings = ` ${text.replace(BETWEEN_LETTERS, ' ')} ${words} ${spelledOut} `
  return entries.some(entry => entry.trim() === whole || readings.includes(entry))
}

function toEntry(line: string): string {
  const word = foldWord(line)
  if (Array.from(word).length >= MIN_LETTERS) {
    return `${line.startsWith('*') ? '' : ' '}${word}${line.endsWith('*') ? '' : ' '}`
  }
  throw new StartError(`${REFUSED_WORDS_FILE}: ${JSON.stringify(line)} has fewer than ${MIN_LETTERS} letters`)
}

/** Returns an entry's letters and digits, in the form that names are compared in. */
export function foldWord(word: string): string {
  return readDigits(fold(word).replace(BETWEEN_LETTERS, ''))
}

/** Removes case and marks, and spells out emoji that show letters or signs. */
function fold(text: string): string {
  const signed = text.replace(/[❗❕➕]/gu, emoji => SIGN_EMOJI[emoji] ?? emoji)
  const spelled = spellOutEmoji(signed).replace(FLAG_LETTERS, toLatinLetter)
  return spelled.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase()
}

function toLatinLetter(flagLetter: string): string {
  return String.fromCodePoint((flagLetter.codePointAt(0) ?? 0) - FLAG_A + A)
}

/** Returns all patterns of a word with a digit in the place of one letter. */
function withDigit(word: string): string[] {
  return Array.from(word, (_, n) => `${word.slice(0, n)}\\d${word.slice(n + 1)}`)
}

function readDigits(text: string): string {
  return text.replace(DIGITS_AND_L, sign => LETTERS[sign] ?? sign)
}
