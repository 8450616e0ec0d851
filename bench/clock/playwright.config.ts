import { defineConfig } from '@playwright/test'
import tests from '../../playwright.config.ts'

/** The browser of the tests, with one page at a time and enough time for hundreds of rounds. */
export default defineConfig({
  ...tests,
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../../test-results/bench',
  workers: 1,
  timeout: 600_000,
})
