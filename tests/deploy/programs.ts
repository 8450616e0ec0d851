import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { PATH = '' } = process.env

/** Where Debian keeps what only administrators run; an ordinary user's path may lack it. */
const PLACES = [...PATH.split(delimiter), '/usr/sbin', '/sbin']

/**
 * Where a program of this machine is. `npm run test:deploy` runs no part whose programs are missing.
 *
 * @throws Error when it is not installed
 */
export function programPath(name: string): string {
  const found = PLACES.map(place => join(place, name)).find(existsSync)
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}
