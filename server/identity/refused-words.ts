import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DELETED_NAME, HIDDEN_NAME, spellOut } from '../../contract/name.ts'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { parseList, readList } from './lists.ts'

/** The operator's own list, in the data folder. */
const FILE = 'refused-words.txt'
/** Every new name is searched for each entry. */
const MAX_ENTRIES = 1_000
/** Shorter entries would match half of all names. */
const MIN_LETTERS = 3

const ASCII = /^[ -~]*$/
const MARKS = /\p{M}+/gu
/** Signs between letters may only hide a word, but a space separates words, as in Chin Kim. */
const BETWEEN_LETTERS = /[^\p{L}\p{N}]+/gu
const BETWEEN_WORDS = /[^\p{L}\p{N} ]+/gu
const LONE_LETTERS = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?![\p{L}\p{N}])/gu
const DIGIT = /\d/
/** A number around a word, as in "admin 7", does not make it another word. */
const OUTER_DIGITS = /(?<![\p{L}\p{N}])\d+|\d+(?![\p{L}\p{N}])/gu
const LAST_DIGITS = /\d+(?![\p{L}\p{N}])/gu
const DIGITS_AND_L = /[013457l]/g
const REGIONAL_SIGNS = /\p{Regional_Indicator}/gu
const FIRST_REGIONAL_SIGN = 0x1f1e6
const NOT_LATIN = /(?!\p{sc=Latin})\p{L}/gu

/** Digits that read as letters, and the l that looks like a capital I. */
const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', l: 'i' }

/** Pairs of a Cyrillic, Greek or stroked letter and the Latin letter it resembles in either case. */
const LOOK_ALIKES = `
  аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx үy ӏi ԁd ԛq ԝw һh гr пn
  αa βb εe ηn ιi κk μm νn οo ρp τt υu χx ωw
  øo đd ðd łi ħh ŧt þp ŋn ĸk ɛe əe ɔc ɓb ɗd ƙk ƴy`
const LATIN_LETTERS = new Map(
  LOOK_ALIKES.trim()
    .split(/\s+/)
    .map(([letter = '', latin = '']) => [letter, latin]),
)

/** Words that no name may contain: "Admin Bob" pretends to speak for the game, too. */
const OPERATOR_WORDS = [
  'admin',
  'admins',
  'administrator',
  'administrators',
  'sysadmin',
  'moderator',
  'moderators',
]

/** Words that, with those above, may not make up a whole name: "TAPS Support" is refused, "Root Beer" is not. */
const OPERATOR_NAMES = [
  ...['TAPS', 'mod', 'mods', 'system', 'root', 'support', 'staff', 'official', 'operator', 'superuser'],
  ...[DELETED_NAME, HIDDEN_NAME],
]

const RESERVED = new RegExp(
  `^(?:the|team)?(?:${[...OPERATOR_WORDS, ...OPERATOR_NAMES].map(fold).join('|')})+(?:team)?$`,
)

/** True for a name that is not allowed. Not cached: it takes 3 µs of the 240 that a round costs the server. */
export type RefusedNameCheck = (name: string) => boolean

/**
 * Reads the list in the data folder or, without one, the list that comes with the game.
 *
 * @throws StartError when it cannot be read, for an entry that is too short, or for too many entries
 */
export async function openRefusedWords(dataDir: string): Promise<RefusedNameCheck> {
  const list = await readFile(join(dataDir, FILE), 'utf8').catch(cause => {
    const code = errorCode(cause)
    if (code === 'ENOENT') return null
    throw new StartError(`Cannot read ${FILE} in ${dataDir} (${code})`, { cause })
  })
  return refusedNameCheck(list === null ? readList('refused-words') : parseList(list))
}

function refusedNameCheck(lines: readonly string[]): RefusedNameCheck {
  if (lines.length > MAX_ENTRIES) {
    throw new StartError(`${FILE} has ${lines.length} words: at most ${MAX_ENTRIES} are looked for`)
  }
  const operatorEntries = OPERATOR_WORDS.map(toEntry)
  const entries = [...lines.map(toEntry), ...operatorEntries]

  return name => {
    const plain = withoutMarks(name)
    if (isRefused(plain, entries)) return true
    return !ASCII.test(name) && isRefused(latinLettersOf(plain), operatorEntries)
  }
}

/** @param entries with a space where a word must begin or end */
function isRefused(plain: string, entries: readonly string[]): boolean {
  if (finds(plain, entries)) return true
  // The digit before a word may be its first letter, as in 4dmin7.
  return (
    DIGIT.test(plain) && [OUTER_DIGITS, LAST_DIGITS].some(digits => finds(plain.replace(digits, ''), entries))
  )
}

function finds(plain: string, entries: readonly string[]): boolean {
  const text = plain.replace(DIGITS_AND_L, sign => LETTERS[sign] ?? sign)
  const words = text.replace(BETWEEN_WORDS, '')
  const whole = words.replaceAll(' ', '')
  if (RESERVED.test(whole)) return true
  const readings = ` ${text.replace(BETWEEN_LETTERS, ' ')} ${words} ${loneLetters(text)} `
  return entries.some(entry => entry.trim() === whole || readings.includes(entry))
}

/** Look-alikes as Latin letters and every other letter as a space: operator words are Latin. */
function latinLettersOf(text: string): string {
  const letters = text.replace(/\p{L}/gu, letter => LATIN_LETTERS.get(letter) ?? letter)
  return letters.replace(NOT_LATIN, ' ')
}

function toEntry(line: string): string {
  const word = fold(line)
  if (Array.from(word).length < MIN_LETTERS) {
    throw new StartError(
      `${FILE}: ${JSON.stringify(line)} is too short, ${MIN_LETTERS} letters are the least`,
    )
  }
  return `${line.startsWith('*') ? '' : ' '}${word}${line.endsWith('*') ? '' : ' '}`
}

/** A word of a list in the form that is searched for. */
function fold(word: string): string {
  const letters = withoutMarks(word).replace(BETWEEN_LETTERS, '')
  return letters.replace(DIGITS_AND_L, sign => LETTERS[sign] ?? sign)
}

/** As `nameKey`, but keeps spaces and signs and drops marks of any script. */
function withoutMarks(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase()
  // A device that draws no flags shows 🇹🇦🇵🇸 as TAPS.
  const spelled = spellOut(name).replace(REGIONAL_SIGNS, sign =>
    String.fromCodePoint((sign.codePointAt(0) ?? 0) - FIRST_REGIONAL_SIGN + 0x61),
  )
  const letters = spelled.normalize('NFKD').replace(MARKS, '')
  return letters.toLowerCase().toUpperCase().toLowerCase()
}

/** The letters that stand alone, as in f.u.c.k. */
function loneLetters(text: string): string {
  return (text.match(LONE_LETTERS) ?? []).join('')
}
