import { expect, test } from 'vitest'
import { readEnv } from '../settings.mjs'
import { createServer } from './server.ts'

// A copy, so that no waiting time changes unnoticed: Node enforces these, and a missing one would mean five minutes.
test('has the limits on slow requests and silent connections', () => {
  const { server } = createServer(readEnv({}), { write: () => undefined })
  expect(server).toMatchObject({
    requestTimeout: 15_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 75_000,
    timeout: 45_000,
  })
})
