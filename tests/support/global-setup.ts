import type { TestProject } from 'vitest/node'
import { openTestServer, type TestServer } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

/** Starts one PostgreSQL for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { connection, template, close } = await openTestServer()
  project.provide('testServer', { connection, template })
  return close
}
