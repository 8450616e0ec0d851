import { expect, test } from 'vitest'
import { findProgram } from './programs.ts'

test('a program is found where this machine has it, and one that it lacks is not', () => {
  expect(findProgram('sh')).toMatch(/^\/.*\/sh$/)
  expect(findProgram('no-such-program')).toBeUndefined()
})
