import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

/** The version of this game, from package.json. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
