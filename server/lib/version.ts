import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
