import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataDir, errorCode } from '../lib/files.ts'
import { StartError } from '../lib/process.ts'
import { parseList, readList } from '../lib/project.ts'
import { createRefusedNameCheck, foldWord, REFUSED_WORDS_FILE } from './refused-words.ts'

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
  const taken = new Set(entries.filter(isRemoval).map(foldWord))
  const shipped = readList('refused-words').filter(entry => !taken.has(foldWord(entry)))
  return [...shipped, ...entries.filter(entry => !isRemoval(entry))]
}

/**
 * Adds a word to the data folder's list.
 *
 * @param word - May begin or end with `*`, as in the list.
 * @throws {StartError} when the word is refused already, or is no entry
 */
export async function refuseWord(dataDir: string, word: string): Promise<void> {
  const file = await readWordFile(dataDir)
  const example = exampleOf(word)
  if (refuses(refusedWords(file), example)) throw new StartError(`${JSON.stringify(word)} is refused already`)
  const kept = linesWithout(file, word)
  const lines = refuses(refusedWords(kept.join('\n')), example) ? kept : [...kept, word]
  // Throws before anything is written when the word is no entry.
  createRefusedNameCheck(refusedWords(lines.join('\n')))
  await writeWordFile(dataDir, lines)
}

/**
 * Takes a word out of both lists.
 *
 * @throws {StartError} when the word is not refused, or stays refused
 */
export async function allowWord(dataDir: string, word: string): Promise<void> {
  const quoted = JSON.stringify(word)
  const file = await readWordFile(dataDir)
  if (!refuses(refusedWords(file), word)) throw new StartError(`${quoted} is not refused`)
  if (refuses([], word)) throw new StartError(`${quoted} suggests an operator, so it is always refused`)
  const kept = linesWithout(file, word)
  const isShipped = readList('refused-words').some(entry => foldWord(entry) === foldWord(word))
  const lines = isShipped ? [...kept, `-${word}`] : kept
  const cause = refusedWords(lines.join('\n')).find(entry => refuses([entry], word))
  if (cause) throw new StartError(`${quoted} is refused by the entry ${cause}: allow that entry instead`)
  await writeWordFile(dataDir, lines)
}

function refuses(entries: readonly string[], word: string): boolean {
  return createRefusedNameCheck(entries)(word)
}

/** Returns a name that an entry refuses, with letters in place of each `*`. */
function exampleOf(entry: string): string {
  return entry.replace(/^\*|\*$/g, 'xx')
}

function isRemoval(entry: string): boolean {
  return entry.startsWith('-')
}

/** Returns the lines of a file without the entries of a word, in any spelling. */
function linesWithout(file: string, word: string): string[] {
  const lines = file.trimEnd().split('\n')
  return lines.filter(line => line.trim().startsWith('#') || line === '' || foldWord(line) !== foldWord(word))
}

/** Replaces the file in one step, because a running server reads it at any moment. */
async function writeWordFile(dataDir: string, lines: readonly string[]): Promise<void> {
  await createDataDir(dataDir)
  const file = join(dataDir, REFUSED_WORDS_FILE)
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${lines.join('\n')}\n`)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw new StartError(`Cannot write ${file} (${errorCode(error)})`, { cause: error })
  }
}
