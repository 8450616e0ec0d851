import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The only file that may call Vitest's waits, which do not say what they waited for. */
const UNTIL = join('tests', 'support', 'until.ts')

const files = ['bench', 'contract', 'scripts', 'server', 'tests', 'web']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(file => file.endsWith('.ts') && !file.includes('node_modules') && file !== UNTIL)

test('every wait of a test says what it waits for', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter(file => /\bvi\s*\.wait(?:Until|For)\b/.test(readFileSync(file, 'utf8')))).toEqual([])
})
