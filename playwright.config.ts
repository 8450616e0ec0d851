import { defineConfig } from '@playwright/test'
import { findChromium } from './e2e/chromium.ts'

const { executablePath, env } = await findChromium()

/** The tests are about this machine alone: the browser asks nobody else for anything. */
const ALONE = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    trace: 'off',
    launchOptions: { executablePath, args: ALONE, env: { ...process.env, ...env } },
  },
})
