import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'failover',
    include: ['tests/deploy/failover/**/*.test.ts'],
    // A relative one would be relative to where the tests are started.
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    maxWorkers: 1,
    // After a failure the crowd and the books no longer agree: nothing that follows would tell more.
    bail: 1,
    hookTimeout: 180_000,
    // Five times what it takes on a machine that does nothing else.
    testTimeout: 3_000_000,
  },
})
