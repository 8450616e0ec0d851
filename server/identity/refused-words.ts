import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DELETED_NAME, HIDDEN_NAME } from '../../contract/name.ts'
import { errorCode } from '../lib/files.ts'
import { entriesOf, readList } from '../lib/lists.ts'
import { StartError } from '../lib/start-error.ts'

/** The operator's own list, in the data folder. */
const FILE = 'refused-words.txt'
/** Each entry is looked for in every new name. */
const MAX_ENTRIES = 1_000
/** Shorter ones would be found in half of all names. */
const MIN_LETTERS = 3

const ASCII = /^[ -~]*$/
const MARKS = /\p{M}+/gu
/** Signs between letters may be there only to hide a word, but a space separates words: Chin Kim. */
const BETWEEN_LETTERS = /[^\p{L}\p{N}]+/gu
const BETWEEN_WORDS = /[^\p{L}\p{N} ]+/gu
const LONE_LETTERS = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?![\p{L}\p{N}])/gu
const DIGIT = /\d/
/** The number of "admin 7" does not make it another name. */
const OUTER_DIGITS = /(?<![\p{L}\p{N}])\d+|\d+(?![\p{L}\p{N}])/gu
const DIGITS_AND_L = /[013457l]/g

/** Digits that are read as letters, and the l that looks like a capital I. */
const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', l: 'i' }

/** Words that no name may contain: "Admin Bob" speaks for the game as well. */
const OPERATOR_WORDS = [
  'admin',
  'admins',
  'administrator',
  'administrators',
  'sysadmin',
  'moderator',
  'moderators',
]

/** Words that no name may consist of, together with those above: "TAPS Support" is refused, "Root Beer" is not. */
const OPERATOR_NAMES = [
  ...['TAPS', 'mod', 'mods', 'system', 'root', 'support', 'staff', 'official', 'operator', 'superuser'],
  ...[DELETED_NAME, HIDDEN_NAME],
]

const RESERVED = new RegExp(
  `^(?:the)?(?:${[...OPERATOR_WORDS, ...OPERATOR_NAMES].map(fold).join('|')})+(?:team)?$`,
)

/** True when this name is not allowed. Not cached: it takes 3 µs of the 240 that a round costs the server. */
export type RefusedNameCheck = (name: string) => boolean

/**
 * Reads the list in the data folder or, where there is none, the one that comes with the game.
 *
 * @throws StartError for an entry that cannot be one, or too many
 */
export async function openRefusedWords(dataDir: string): Promise<RefusedNameCheck> {
  try {
    return refusedNameCheck(entriesOf(await readFile(join(dataDir, FILE), 'utf8')))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return refusedNameCheck(readList('refused-words'))
  }
}

function refusedNameCheck(lines: readonly string[]): RefusedNameCheck {
  if (lines.length > MAX_ENTRIES) {
    throw new StartError(`${FILE} has ${lines.length} words: at most ${MAX_ENTRIES} are looked for`)
  }
  /** Each with a space where a word has to begin or end. */
  const entries = [...lines, ...OPERATOR_WORDS].map(toEntry)
  const wholeNames = new Set(entries.map(entry => entry.trim()))

  function finds(plain: string): boolean {
    const text = plain.replace(DIGITS_AND_L, sign => LETTERS[sign] ?? sign)
    const words = text.replace(BETWEEN_WORDS, '')
    const whole = words.replaceAll(' ', '')
    if (wholeNames.has(whole) || RESERVED.test(whole)) return true
    const readings = ` ${text.replace(BETWEEN_LETTERS, ' ')} ${words} ${spelledOut(text)} `
    return entries.some(entry => readings.includes(entry))
  }

  return name => {
    const plain = withoutMarks(name)
    return finds(plain) || (DIGIT.test(plain) && finds(plain.replace(OUTER_DIGITS, '')))
  }
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

/** A word of a list as it is looked for. */
function fold(word: string): string {
  const letters = withoutMarks(word).replace(BETWEEN_LETTERS, '')
  return letters.replace(DIGITS_AND_L, sign => LETTERS[sign] ?? sign)
}

/** As `nameKey`, but keeps spaces and signs, and leaves out marks in any script. */
function withoutMarks(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase()
  const letters = name.normalize('NFKD').replace(MARKS, '')
  return letters.toLowerCase().toUpperCase().toLowerCase()
}

/** The letters that stand alone, as in f.u.c.k. */
function spelledOut(text: string): string {
  return (text.match(LONE_LETTERS) ?? []).join('')
}
