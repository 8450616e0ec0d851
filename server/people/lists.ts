import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The entries of a list in `lists/`, each a line of its file; see the head of the file for where it comes from. */
export function readList(name: string): string[] {
  return entriesOf(readFileSync(`${listsFolder()}/${name}.txt`, 'utf8'))
}

/** The lines of a list, without what follows a `#` at their beginning and without empty ones. */
export function entriesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}

/** `lists/` stands beside `server/`; what is built lies in `dist/server/`, one folder deeper. */
function listsFolder(): string {
  const levels = import.meta.url.endsWith('.ts') ? '../../lists' : '../../../lists'
  return fileURLToPath(new URL(levels, import.meta.url))
}
