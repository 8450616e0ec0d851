import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    setupFiles: 'tests/support/no-console-errors.ts',
    // A third worker uses the cores while two workers wait for a database or a process.
    maxWorkers: 3,
    // Modules keep no state between tests, so a worker loads each module only once.
    isolate: false,
    // Allows for a busy machine, but ends a test that hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
