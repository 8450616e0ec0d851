import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './browser.ts'

export default defineConfig({
  test: {
    name: 'browsers',
    include: ['tests/deploy/browsers/**/*.test.ts'],
    // An absolute path, so that the tests can be started in any folder.
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    globalSetup: 'tests/browser/global-setup.ts',
    expect: { poll: { timeout: PATIENCE_MS } },
    hookTimeout: PATIENCE_MS,
    testTimeout: 5 * PATIENCE_MS,
  },
})
