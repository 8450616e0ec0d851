import { inject } from 'vitest'
import { copyTemplate, type TestDatabase } from './postgres.ts'

export type { TestDatabase }

/** Creates a database for one test file, which drops the database after its tests. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('testServer'))
}
