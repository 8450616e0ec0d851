import { existsSync, readFileSync } from 'node:fs'

const isBuilt = import.meta.url.endsWith('.js')

/**
 * The folder that contains `sql/`, `package.json` and `server/lists/`, with a trailing slash. A build
 * contains copies, so that changes to the checkout do not affect a running server.
 */
export const ROOT = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The folder that contains the built page. */
export const BUILT = isBuilt ? ROOT : new URL('dist/', ROOT)

const BUILT_VERSION = new URL('version', ROOT)

/** The version in package.json, in a build with the commit, such as 1.3.0+1a2b3c4. */
export const VERSION: string = existsSync(BUILT_VERSION)
  ? readFileSync(BUILT_VERSION, 'utf8').trim()
  : JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version

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
