import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'failover',
    include: ['tests/deploy/failover/**/*.test.ts'],
    // An absolute path, so that the tests can be started in any folder.
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    maxWorkers: 1,
    // After a failure the crowd's expectations are wrong, so later tests would prove nothing.
    bail: 1,
    hookTimeout: 180_000,
    // The timeout is five times the duration on an idle machine.
    testTimeout: 3_000_000,
  },
})
