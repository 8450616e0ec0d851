import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LONG, sized } from '../support/size.ts'

export default defineConfig({
  test: {
    name: 'faults',
    include: ['tests/faults/**/*.test.ts'],
    // What needs Linux, root or minutes belongs to the long run and is not even named in the short one.
    exclude: LONG ? [] : ['tests/faults/long/**'],
    globalSetup: 'tests/faults/global-setup.ts',
    // A relative one would be relative to where the tests are started.
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // Some of it waits for a database to come back.
    maxWorkers: 2,
    isolate: false,
    hookTimeout: 180_000,
    // Ten times what a machine takes that does nothing else.
    testTimeout: sized(300_000, 7_200_000),
  },
})
