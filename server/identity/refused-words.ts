import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DELETED_NAME, HIDDEN_NAME } from '../game/attempts.ts'
import { errorCode } from '../lib/files.ts'
import { entriesOf, readList } from '../lib/lists.ts'
import { StartError } from '../lib/start-error.ts'
import { skeleton } from './skeleton.ts'

/** The operator's own list, in the data folder. */
const FILE = 'refused-words.txt'
/** Each entry is looked for in every new name. */
const MAX_ENTRIES = 1_000
/** Shorter ones would be found in half of all names. */
const MIN_LETTERS = 3

/** Names that were looked at lately: a guest sends the same one with every attempt. */
const MAX_REMEMBERED = 2_000

/** A word, and where in a name's words it is refused. */
interface Entry {
  readonly word: string
  readonly mayFollow: boolean
  readonly mayGoOn: boolean
}

/** Names that say what stands for a name that is not shown. */
const RESERVED = new Set([DELETED_NAME, HIDDEN_NAME].map(skeleton))

/** The words that no name may be made of. */
export class RefusedWords {
  readonly #entries: readonly Entry[]
  readonly #remembered = new Map<string, boolean>()

  /** @throws StartError for an entry that cannot be one, or too many */
  constructor(entries: readonly string[]) {
    if (entries.length > MAX_ENTRIES) {
      throw new StartError(`${FILE} has ${entries.length} words: at most ${MAX_ENTRIES} are looked for`)
    }
    this.#entries = entries.map(toEntry)
  }

  /** The list in the data folder or, where there is none, the one that comes with the game. */
  static async open(dataDir: string): Promise<RefusedWords> {
    try {
      return new RefusedWords(entriesOf(await readFile(join(dataDir, FILE), 'utf8')))
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      return new RefusedWords(readList('refused-words'))
    }
  }

  /** True when nobody may go by this name. */
  refuse(name: string): boolean {
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    const refused = this.#find(skeleton(name))
    this.#remembered.set(name, refused)
    const oldest = this.#remembered.keys().next()
    if (this.#remembered.size > MAX_REMEMBERED && !oldest.done) this.#remembered.delete(oldest.value)
    return refused
  }

  #find(look: string): boolean {
    if (RESERVED.has(look)) return true
    const words = wordsOf(look)
    // What stands between letters may be there only to hide the word.
    const all = [...words, words.join('')]
    return this.#entries.some(entry => all.some(word => isIn(word, entry)))
  }
}

function isIn(text: string, { word, mayFollow, mayGoOn }: Entry): boolean {
  if (mayFollow && mayGoOn) return text.includes(word)
  if (mayGoOn) return text.startsWith(word)
  return mayFollow ? text.endsWith(word) : text === word
}

function wordsOf(look: string): string[] {
  return look
    .replace(/\p{M}+/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

function toEntry(line: string): Entry {
  const word = wordsOf(skeleton(line)).join('')
  if (Array.from(word).length < MIN_LETTERS) {
    throw new StartError(
      `${FILE}: ${JSON.stringify(line)} is too short, ${MIN_LETTERS} letters are the least`,
    )
  }
  return { word, mayFollow: line.startsWith('*'), mayGoOn: line.endsWith('*') }
}
