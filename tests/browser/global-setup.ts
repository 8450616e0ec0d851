import { openTestServer, type TestServer } from '../support/postgres.ts'

/** Starts one PostgreSQL for the whole run; `E2E_POSTGRES` tells workers how to connect. */
export default async function setUp(): Promise<() => Promise<void>> {
  const { connection, template, close } = await openTestServer()
  const testServer: TestServer = { connection, template }
  Object.assign(process.env, { E2E_POSTGRES: JSON.stringify(testServer) })
  return close
}
