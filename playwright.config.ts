import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/support/chromium.ts'

const { executablePath, env } = await findChromium()

/** Flags that stop the browser's own requests to the network. */
const BROWSER_ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // Renders on the processor without looking for a GPU.
  '--disable-gpu',
]

/** The longest wait for the page, in ms. */
const WAIT_MS = 30_000

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
  // An absolute path, because configurations in other folders extend this one.
  globalSetup: fileURLToPath(new URL('tests/browser/global-setup.ts', import.meta.url)),
  // Any worker takes the next test. Each worker has a browser, a server and a database of its own.
  fullyParallel: true,
  // A fourth worker would slow down a machine with two cores.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Allows for a busy machine, but ends a test that hangs.
  timeout: 180_000,
  // Each wait ends before its test, and says what it has waited for.
  expect: { timeout: WAIT_MS, toPass: { timeout: WAIT_MS } },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    actionTimeout: WAIT_MS,
    navigationTimeout: WAIT_MS,
    headless: true,
    trace: 'off',
    viewport: { width: 800, height: 600 },
    launchOptions: { executablePath, args: BROWSER_ARGS, env: { ...process.env, ...env } },
  },
})
