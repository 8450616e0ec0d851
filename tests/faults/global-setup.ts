import type { TestProject } from 'vitest/node'
import { openTestServer } from '../support/postgres.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { LONG, SEED } from '../support/size.ts'

/**
 * Starts one PostgreSQL for the whole run, as durable as an operator's. Tests that kill one copy an empty
 * data folder
 * instead.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Printed first, so that an interrupted run can be repeated too.
  if (LONG) process.stdout.write(`FAULTS_SEED=${SEED}\n`)
  Object.assign(process.env, { FAULTS_SEED: String(SEED) })
  const empty = await SharedPostgres.open()
  await empty.stop()
  Object.assign(process.env, { FAULTS_DATA_DIR: empty.dataDir })
  const { connection, template, close } = await openTestServer(() =>
    // Several files use it simultaneously, each with several nodes.
    SharedPostgres.open({ max_connections: '200' }),
  )
  project.provide('testServer', { connection, template })
  return async () => {
    await close()
    await empty.close()
  }
}
