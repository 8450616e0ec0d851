import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const { PATH = '' } = process.env

/** Where Debian keeps what only administrators run; an ordinary user's path may lack it. */
const PLACES = [...PATH.split(delimiter), '/usr/sbin', '/sbin']

/**
 * Where a program of this machine is; undefined, with one line that says so, when it is not installed.
 *
 * @param places to look in, by default those where programs usually are
 */
export function findProgram(name: string, places = PLACES): string | undefined {
  const found = places.map(place => join(place, name)).find(isExecutable)
  if (!found) process.stdout.write(`${name} is not installed: what needs it is not tested\n`)
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
