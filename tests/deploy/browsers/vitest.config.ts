import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'browsers',
    include: ['tests/deploy/browsers/**/*.test.ts'],
    // A relative one would be relative to where the tests are started.
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    globalSetup: 'tests/browser/global-setup.ts',
    hookTimeout: 60_000,
    testTimeout: 240_000,
  },
})
