import { existsSync, readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

const BUILT_VERSION = new URL('version', ROOT)

/** The build's `git describe`, or the version in package.json for the sources and for builds without git. */
export const VERSION: string = existsSync(BUILT_VERSION)
  ? readFileSync(BUILT_VERSION, 'utf8').trim()
  : JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
