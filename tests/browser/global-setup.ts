import { openTestServer, type TestServer } from '../support/postgres.ts'

/** One PostgreSQL for the whole run; workers find it through their environment. */
export default async function setUp(): Promise<() => Promise<void>> {
  const { connection, template, close } = await openTestServer()
  const testServer: TestServer = { connection, template }
  Object.assign(process.env, { E2E_POSTGRES: JSON.stringify(testServer) })
  return close
}
