import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/support/chromium.ts'

const { executablePath, env } = await findChromium()

/** The tests are about this machine alone: the browser asks nobody else for anything. */
const ALONE = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // Drawn by the processor either way; a tenth less work without trying.
  '--disable-gpu',
]

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
  // Other configurations, in other folders, are made of this one.
  globalSetup: fileURLToPath(new URL('tests/browser/global-setup.ts', import.meta.url)),
  // A file's tests share a database. Each worker has a browser and a server: more of them cost two cores more than they use.
  fullyParallel: false,
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Far more than a machine takes whose cores are busy with something else; a test that hangs still ends.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    trace: 'off',
    viewport: { width: 800, height: 600 },
    launchOptions: { executablePath, args: ALONE, env: { ...process.env, ...env } },
  },
})
