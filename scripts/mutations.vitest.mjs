// The tests that find the faults of `npm run test:mutations`.

import { defineConfig } from 'vitest/config'
import unit from '../vitest.config.ts'

const { TESTS_OF_FAULTS = '' } = process.env

export default defineConfig({
  ...unit,
  // Each anew, since a fault may be in what a file does when it is loaded.
  test: { ...unit.test, include: [TESTS_OF_FAULTS], isolate: true },
})
