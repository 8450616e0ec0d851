import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DELETED_NAME, HIDDEN_NAME } from '../../contract/name.ts'
import { errorCode } from '../lib/errors.ts'
import { readError } from '../lib/files.ts'
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
/** Says which names are refused, and hides them. */
export type Names = Awaited<ReturnType<typeof openNames>>

/**
 * Reads the data folder's list, which changes the list that comes with the game.
 *
 * @returns the text; empty when there is no file
 * @throws {StartError} when the file cannot be read
 */
export async function readWordFile(dataDir: string): Promise<string> {
  return readFile(join(dataDir, REFUSED_WORDS_FILE), 'utf8').catch(cause => {
    if (errorCode(cause) === 'ENOENT') return ''
    throw readError(join(dataDir, REFUSED_WORDS_FILE), cause)
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
 * Refuses names on the list that comes with the game, as changed by the list in the data folder. Reads the list
 * again every REREAD_MS.
 *
 * @throws {StartError} when the list in the data folder cannot be read or used
 */
export async function openNames(dataDir: string, log: Pick<Logger, 'info' | 'warn'>) {
  let file = await readWordFile(dataDir)
  let check = createRefusedNameCheck(refusedWords(file))

  const isRefused: RefusedNameCheck = name => check(name)
  /** Hides refused names, except the name of deleted users. */
  const mask: NameMask = name => (name !== DELETED_NAME && check(name) ? HIDDEN_NAME : name)

  /** Reads the list again. When the new list is unusable, keeps the last good list and logs one line. */
  async function reread(): Promise<void> {
    try {
      const changed = await readWordFile(dataDir)
      if (changed === file) return
      check = createRefusedNameCheck(refusedWords(changed))
      file = changed
      log.info('the list of refused words has changed')
    } catch (error) {
      const reason = error instanceof Error ? error.message : error
      log.warn({ reason }, 'refused words could not be read again; keeping the last good list')
    }
  }

  const timer = setInterval(() => void reread(), REREAD_MS).unref()
  return { isRefused, mask, reread, close: () => clearInterval(timer) }
}
