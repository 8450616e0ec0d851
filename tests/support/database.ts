import { inject } from 'vitest'
import { copyTemplate, type TestDatabase } from './postgres.ts'

export type { TestDatabase }

/** Creates a database for one test file. The file must drop the database after its tests. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('testServer'))
}
