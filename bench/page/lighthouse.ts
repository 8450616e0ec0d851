import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findChromium } from '../../tests/support/chromium.ts'

const REPORT_MAX_BYTES = 16 * 2 ** 20
const VISIT_TIMEOUT_MS = 120_000

/** A separate package, because Lighthouse would triple the size of the product's lock file. */
const FOLDER = fileURLToPath(new URL('lighthouse/', import.meta.url))

const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js')

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'].join(' ')

export interface Report {
  /** Scores from 0 to 1, by category. */
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

export async function installLighthouse(): Promise<void> {
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', ...options], { cwd: FOLDER })
}

/** Runs Lighthouse on a page once, simulating a slow phone. */
export async function audit(url: string): Promise<Report> {
  const { executablePath, env } = await findChromium()
  const options = ['--quiet', '--output=json', '--output-path=stdout', `--chrome-flags=${FLAGS}`]
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, url, ...options], {
    env: { ...process.env, ...env, CHROME_PATH: executablePath },
    maxBuffer: REPORT_MAX_BYTES,
    timeout: VISIT_TIMEOUT_MS,
  })
  return JSON.parse(stdout)
}
