import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DELETED_NAME, HIDDEN_NAME } from '../../contract/name.ts'
import { errorCode } from '../lib/files.ts'
import { parseList, readList } from '../lib/lists.ts'
import { StartError } from '../lib/start-error.ts'
import type { Logger } from '../log.ts'
import { createRefusedNameCheck, REFUSED_WORDS_FILE, type RefusedNameCheck } from './refused-words.ts'

/** The interval between reads of the list, so that a changed list applies within a minute. */
const REREAD_MS = 30_000

export type NameMask = (username: string) => string

/**
 * Refuses names on the list in the data folder, or else on the list that comes with the game. Emits `changed`
 * when the list has changed.
 */
export class RefusedNames extends EventEmitter<{ changed: [] }> {
  readonly #dataDir: string
  readonly #log: Pick<Logger, 'warn'>
  /** The data folder's list, or null for the list that comes with the game. */
  #list: string | null | undefined
  #check: RefusedNameCheck = () => false
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  private constructor(dataDir: string, log: Pick<Logger, 'warn'>) {
    super()
    this.#dataDir = dataDir
    this.#log = log
  }

  /**
   * Reads the list now, and again every REREAD_MS.
   *
   * @throws {StartError} when the list in the data folder cannot be read or used
   */
  static async open(dataDir: string, log: Pick<Logger, 'warn'>): Promise<RefusedNames> {
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
    const list = await readFile(join(this.#dataDir, REFUSED_WORDS_FILE), 'utf8').catch(cause => {
      const code = errorCode(cause)
      if (code === 'ENOENT') return null
      throw new StartError(`Cannot read ${REFUSED_WORDS_FILE} in ${this.#dataDir} (${code})`, { cause })
    })
    if (list === this.#list) return false
    this.#check = createRefusedNameCheck(list === null ? readList('refused-words') : parseList(list))
    this.#list = list
    return true
  }
}
