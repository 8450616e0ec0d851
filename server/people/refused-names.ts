import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DELETED_NAME, HIDDEN_NAME } from '../../contract/name.ts'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/process.ts'
import { parseList, readList } from '../lib/project.ts'
import type { Logger } from '../log.ts'
import {
  createRefusedNameCheck,
  foldWord,
  REFUSED_WORDS_FILE,
  type RefusedNameCheck,
} from './refused-words.ts'

/** The interval between reads of the list, so that a changed list applies within a minute. */
const REREAD_MS = 30_000

export type NameMask = (username: string) => string

/**
 * Reads the data folder's list, which changes the list that comes with the game.
 *
 * @returns the text; empty when there is no file
 * @throws {StartError} when the file cannot be read
 */
export async function readWordFile(dataDir: string): Promise<string> {
  return readFile(join(dataDir, REFUSED_WORDS_FILE), 'utf8').catch(cause => {
    const code = errorCode(cause)
    if (code === 'ENOENT') return ''
    throw new StartError(`Cannot read ${REFUSED_WORDS_FILE} in ${dataDir} (${code})`, { cause })
  })
}

/** Adds the file's entries to the list that comes with the game; an entry `-word` takes a word out. */
export function refusedWords(file: string): string[] {
  const entries = parseList(file)
  const isRemoval = (entry: string) => entry.startsWith('-')
  const taken = new Set(entries.filter(isRemoval).map(foldWord))
  const shipped = readList('refused-words').filter(entry => !taken.has(foldWord(entry)))
  return [...shipped, ...entries.filter(entry => !isRemoval(entry))]
}

/**
 * Refuses names on the list that comes with the game, as changed by the list in the data folder. Emits
 * `changed` when the list has changed.
 */
export class RefusedNames extends EventEmitter<{ changed: [] }> {
  readonly #dataDir: string
  readonly #log: Pick<Logger, 'info' | 'warn'>
  /** The text of the data folder's list; undefined before the first read. */
  #file: string | undefined
  #check: RefusedNameCheck = () => false
  #timer: NodeJS.Timeout | undefined

  private constructor(dataDir: string, log: Pick<Logger, 'info' | 'warn'>) {
    super()
    this.#dataDir = dataDir
    this.#log = log
  }

  /**
   * Reads the list now, and again every REREAD_MS.
   *
   * @throws {StartError} when the list in the data folder cannot be read or used
   */
  static async open(dataDir: string, log: Pick<Logger, 'info' | 'warn'>): Promise<RefusedNames> {
    const names = new RefusedNames(dataDir, log)
    await names.#read()
    names.#timer = setInterval(() => void names.reread(), REREAD_MS).unref()
    return names
  }

  readonly isRefused: RefusedNameCheck = name => this.#check(name)

  /** Hides refused names, except the name of deleted users. */
  readonly mask: NameMask = username =>
    username !== DELETED_NAME && this.#check(username) ? HIDDEN_NAME : username

  /** Reads the list again. When the new list is unusable, keeps the last good list and logs one line. */
  async reread(): Promise<void> {
    try {
      if (!(await this.#read())) return
      this.#log.info('the list of refused words has changed')
      this.emit('changed')
    } catch (error) {
      const reason = error instanceof Error ? error.message : error
      this.#log.warn({ reason }, 'refused words could not be read again; keeping the last good list')
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** @returns whether the list has changed */
  async #read(): Promise<boolean> {
    const file = await readWordFile(this.#dataDir)
    if (file === this.#file) return false
    this.#check = createRefusedNameCheck(refusedWords(file))
    this.#file = file
    return true
  }
}
