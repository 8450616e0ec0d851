import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

/** Reads a list in `server/lists/`. */
export function readList(name: string): string[] {
  return parseList(readFileSync(new URL(`server/lists/${name}.txt`, ROOT), 'utf8'))
}

/** Returns the lines of a list, without comments (`#`) and empty lines. */
export function parseList(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}
