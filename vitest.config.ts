import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    setupFiles: 'server/testing/no-console-errors.ts',
    // PostgreSQL and the servers under test need the rest of a small machine.
    maxWorkers: 2,
    // A busy machine may take seconds for what takes milliseconds; a test that hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
