import { EventEmitter } from 'node:events'
import { DELETED_NAME, HIDDEN_NAME } from '../../contract/name.ts'
import type { Logger } from '../log.ts'
import { createRefusedNameCheck, type RefusedNameCheck } from './refused-words.ts'
import { readWordFile, refusedWords } from './word-list.ts'

/** The interval between reads of the list, so that a changed list applies within a minute. */
const REREAD_MS = 30_000

export type NameMask = (username: string) => string

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
  #isFailing = false

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
      if (await this.#read()) this.emit('changed')
      this.#isFailing = false
    } catch (error) {
      const reason = error instanceof Error ? error.message : error
      if (!this.#isFailing)
        this.#log.warn({ reason }, 'refused words could not be read again; keeping the last good list')
      this.#isFailing = true
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** @returns whether the list has changed */
  async #read(): Promise<boolean> {
    const file = await readWordFile(this.#dataDir)
    if (file === this.#file) return false
    const words = refusedWords(file)
    this.#check = createRefusedNameCheck(words)
    // A game without a file of its own has nothing to tell at its start.
    if (file !== '' || this.#file !== undefined) this.#log.info({ words: words.length }, 'refused words read')
    this.#file = file
    return true
  }
}
