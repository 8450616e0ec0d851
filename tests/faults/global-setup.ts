import type { TestProject } from 'vitest/node'
import { openTestServer } from '../support/postgres.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { LONG, SEED } from '../support/size.ts'

/**
 * One PostgreSQL for the whole run, of which each file has a database, as durable as an operator's. What kills or stops
 * its own has a copy of an empty one, of which the workers learn by their environment.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Whatever becomes of the tests, this says how to make the same choices again.
  if (LONG) process.stdout.write(`FAULTS_SEED=${SEED}\n`)
  Object.assign(process.env, { FAULTS_SEED: String(SEED) })
  const empty = await SharedPostgres.open()
  await empty.stop()
  Object.assign(process.env, { FAULTS_DATA_DIR: empty.dataDir })
  const { connection, template, close } = await openTestServer(openDurable)
  project.provide('testServer', { connection, template })
  return async () => {
    await close()
    await empty.close()
  }
}

/** Several files are at work on it, each with several nodes. */
async function openDurable() {
  const postgres = await SharedPostgres.open({ max_connections: '200' })
  return { connection: postgres.connection, close: () => postgres.close() }
}
