import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'deploy',
    include: ['tests/deploy/**/*.test.ts'],
    exclude: ['tests/deploy/browsers/**'],
    // An absolute path, so that the tests can be started in any folder.
    root: fileURLToPath(new URL('../..', import.meta.url)),
    maxWorkers: 2,
    isolate: false,
    hookTimeout: 180_000,
    // The timeout is five times the duration of the failover tests on an idle machine.
    testTimeout: 3_000_000,
  },
})
