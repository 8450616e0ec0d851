import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

/** The entries of a list in `lists/`, each a line of its file; see the head of the file for where it comes from. */
export function readList(name: string): string[] {
  return parseList(readFileSync(new URL(`lists/${name}.txt`, ROOT), 'utf8'))
}

/** The lines of a list, without what follows a `#` at their beginning and without empty ones. */
export function parseList(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}
