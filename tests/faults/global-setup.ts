import { SharedPostgres } from '../support/shared-postgres.ts'

/** Makes one database for the whole run, of which each test has a copy; the workers learn of it by their environment. */
export default async function setUp(): Promise<() => Promise<void>> {
  const empty = await SharedPostgres.open()
  await empty.stop()
  Object.assign(process.env, { FAULTS_DATA_DIR: empty.dataDir })
  return () => empty.close()
}
