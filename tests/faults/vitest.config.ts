import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LONG, sized } from '../support/size.ts'

export default defineConfig({
  test: {
    name: 'faults',
    include: ['tests/faults/**/*.test.ts'],
    // The disk needs Linux, root and minutes.
    exclude: LONG ? [] : ['tests/faults/disk.test.ts'],
    globalSetup: 'tests/faults/global-setup.ts',
    // An absolute path, so that the tests can be started in any folder.
    root: fileURLToPath(new URL('../..', import.meta.url)),
    // A third worker uses the cores while two workers wait for a database to come back.
    maxWorkers: 3,
    isolate: false,
    hookTimeout: 180_000,
    // The timeout is ten times the duration on an idle machine.
    testTimeout: sized(300_000, 7_200_000),
  },
})
