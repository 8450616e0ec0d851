import { inject } from 'vitest'
import { copyTemplate, type TestDatabase } from './postgres.ts'

export type { TestDatabase }

/** Makes a database for one test file; the file drops it when its tests are over. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('testServer'))
}
