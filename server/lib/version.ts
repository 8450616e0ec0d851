import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

/** The version of this game, as package.json has it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
