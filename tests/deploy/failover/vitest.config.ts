import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'failover',
    include: ['tests/deploy/failover/**/*.test.ts'],
    // Absolute, so that it does not depend on the folder in which the tests are started.
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    maxWorkers: 1,
    // After a failure the crowd's books are wrong, so later tests would show nothing.
    bail: 1,
    hookTimeout: 180_000,
    // Five times the duration on an idle machine.
    testTimeout: 3_000_000,
  },
})
