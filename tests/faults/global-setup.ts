import type { TestProject } from 'vitest/node'
import { openTestServer } from '../support/postgres.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { LONG, SEED } from '../support/size.ts'

/**
 * Starts one PostgreSQL for the whole run, with the durability settings of production. Tests that kill
 * PostgreSQL start another PostgreSQL on a copy of an empty data folder.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Prints the seed first, so that even an interrupted run can be repeated.
  if (LONG) process.stdout.write(`FAULTS_SEED=${SEED}\n`)
  Object.assign(process.env, { FAULTS_SEED: String(SEED) })
  const empty = await SharedPostgres.open()
  await empty.stop()
  Object.assign(process.env, { FAULTS_DATA_DIR: empty.dataDir })
  const { connection, template, close } = await openTestServer(() =>
    // Several test files run simultaneously, each with several nodes.
    SharedPostgres.open({ max_connections: '200' }),
  )
  project.provide('testServer', { connection, template })
  return async () => {
    await close()
    await empty.close()
  }
}
