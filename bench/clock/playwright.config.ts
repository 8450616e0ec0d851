import { defineConfig } from '@playwright/test'
import tests from '../../playwright.config.ts'

/** The browser of the tests, one page at a time, for as long as it takes. */
export default defineConfig({
  ...tests,
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../../test-results/bench',
  workers: 1,
  timeout: 600_000,
})
