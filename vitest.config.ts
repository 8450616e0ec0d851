import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    setupFiles: 'tests/support/no-console-errors.ts',
    // A third worker uses what two cores have left while others wait for a database or a process.
    maxWorkers: 3,
    // No module of ours keeps anything from one test to the next, so the files of a worker load each but once: a fifth
    // of all the work.
    isolate: false,
    // A busy machine may take seconds for what takes milliseconds; a test that hangs still ends.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
