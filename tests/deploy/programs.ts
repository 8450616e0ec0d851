import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const { PATH = '' } = process.env

/** Where Debian keeps what only administrators run; an ordinary user's path may lack it. */
const PLACES = [...PATH.split(delimiter), '/usr/sbin', '/sbin']

/**
 * Where a program of this machine is. `npm run test:deploy` runs no file whose programs are missing.
 *
 * @param places to look in, by default those where programs usually are
 * @throws Error when it is not installed
 */
export function programPath(name: string, places = PLACES): string {
  const found = places.map(place => join(place, name)).find(isExecutable)
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
