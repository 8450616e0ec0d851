import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../lib/errors.ts'
import { createDataDir } from '../lib/files.ts'
import { readList } from '../lib/project.ts'
import { readWordFile, refusedWords } from '../people/names.ts'
import { createRefusedNameCheck, foldWord, REFUSED_WORDS_FILE } from '../people/refused-words.ts'
import { type Call, type Command, UsageError } from './command.ts'
import type { Outcome } from './output.ts'

/** Commands about refused words. Each node has its own list. */
export const WORDS: readonly Command[] = [
  {
    form: 'refuse <word>...',
    help: "Refuses words or whole names, and hides names that contain them, guests' too.",
    run: (call, ...words) => edit(call, refuse, words, 'is refused'),
  },
  {
    form: 'allow <word>...',
    help: 'Allows words again.',
    run: (call, ...words) => edit(call, allow, words, 'is allowed'),
  },
]

/** Changes the text of the data folder's list, and returns the new lines. */
type Edit = (file: string, word: string) => readonly string[]

/** Changes the list by each word. A word that the list cannot take does not stop the others. */
async function edit(
  { env: { dataDir }, tell }: Call,
  change: Edit,
  words: readonly string[],
  result: string,
): Promise<Outcome> {
  // These characters have a meaning of their own in the list.
  if (words.some(word => /^[-#]|[\n\r]/.test(word)))
    throw new UsageError('Give words or names, without # or - at their beginning')
  const file = join(dataDir, REFUSED_WORDS_FILE)
  tell(file)
  await createDataDir(dataDir)
  let text = await readWordFile(dataDir)
  const done: string[] = []
  const problems: string[] = []
  for (const word of words) {
    try {
      text = `${change(text, word.trim()).join('\n')}\n`
      done.push(`${JSON.stringify(word)} ${result} within a minute. Run this on every node.`)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      problems.push(error.message)
    }
  }
  if (done.length === 0) throw new StartError(problems.join('\n'))
  // A running server reads the file at any moment.
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
  return { ok: problems.length === 0, lines: [...problems, ...done] }
}

/** @param word - May begin or end with `*`, as in the list. */
function refuse(file: string, word: string): readonly string[] {
  // A name that the entry refuses, with letters in place of each `*`.
  const example = word.replace(/^\*|\*$/g, 'xx')
  if (refuses(refusedWords(file), example)) throw new StartError(`${JSON.stringify(word)} is refused already`)
  const kept = linesWithout(file, word)
  const lines = refuses(refusedWords(kept.join('\n')), example) ? kept : [...kept, word]
  // Throws when the word is no entry.
  createRefusedNameCheck(refusedWords(lines.join('\n')))
  return lines
}

/** Takes a word out of both lists. */
function allow(file: string, word: string): readonly string[] {
  const quoted = JSON.stringify(word)
  if (!refuses(refusedWords(file), word)) throw new StartError(`${quoted} is not refused`)
  if (refuses([], word)) throw new StartError(`${quoted} suggests an operator, so it is always refused`)
  const kept = linesWithout(file, word)
  const isShipped = readList('refused-words').some(entry => foldWord(entry) === foldWord(word))
  const lines = isShipped ? [...kept, `-${word}`] : kept
  const cause = refusedWords(lines.join('\n')).find(entry => refuses([entry], word))
  if (cause) throw new StartError(`${quoted} is refused by the entry ${cause}: allow that entry instead`)
  return lines
}

function refuses(entries: readonly string[], word: string): boolean {
  return createRefusedNameCheck(entries)(word)
}

/** Returns the lines of a file without the entries of a word, in any spelling. */
function linesWithout(file: string, word: string): string[] {
  const lines = file.trimEnd().split('\n')
  return lines.filter(line => line.trim().startsWith('#') || line === '' || foldWord(line) !== foldWord(word))
}
