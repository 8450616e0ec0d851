import { join } from 'node:path'
import { REFUSED_WORDS_FILE } from '../people/refused-words.ts'
import { allowWord, refuseWord } from '../people/word-list.ts'
import { type Call, type Command, type Outcome, UsageError } from './command.ts'

/** Commands about refused words. Each node has its own list. */
export const WORDS: readonly Command[] = [
  {
    form: 'refuse <word>',
    help: "Refuses a word or a whole name, and hides names that contain it, guests' too.",
    run: (call, word) => edit(call, refuseWord, word, 'is refused'),
  },
  {
    form: 'allow <word>',
    help: 'Allows a word again.',
    run: (call, word) => edit(call, allowWord, word, 'is allowed'),
  },
]

async function edit(
  { env: { dataDir }, tell }: Call,
  change: (dataDir: string, word: string) => Promise<void>,
  word = '',
  result: string,
): Promise<Outcome> {
  // These characters have a meaning of their own in the list.
  if (/^[-#]|[\n\r]/.test(word))
    throw new UsageError('Give one word or name, without # or - at its beginning')
  tell(join(dataDir, REFUSED_WORDS_FILE))
  await change(dataDir, word.trim())
  return { ok: true, lines: [`${JSON.stringify(word)} ${result} within a minute. Run this on every node.`] }
}
