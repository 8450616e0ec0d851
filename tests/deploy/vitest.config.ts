import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'deploy',
    include: ['tests/deploy/*.test.ts'],
    // An absolute path, so that the tests can be started in any folder.
    root: fileURLToPath(new URL('../..', import.meta.url)),
    maxWorkers: 2,
    isolate: false,
    hookTimeout: 120_000,
    testTimeout: 900_000,
  },
})
