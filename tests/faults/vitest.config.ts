import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sized } from '../support/size.ts'

export default defineConfig({
  test: {
    name: 'faults',
    include: ['tests/faults/**/*.test.ts'],
    globalSetup: 'tests/faults/global-setup.ts',
    // A relative one would be relative to where the tests are started.
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Much of it waits for a database to come back: four take a fifth longer.
    maxWorkers: 6,
    isolate: false,
    hookTimeout: 60_000,
    // Ten times what a machine takes that does nothing else.
    testTimeout: sized(300_000, 7_200_000),
  },
})
