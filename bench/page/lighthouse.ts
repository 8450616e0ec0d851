import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findChromium } from '../../tests/support/chromium.ts'

/** A report is about 1 MB of JSON. */
const REPORT_MAX_BYTES = 16 * 2 ** 20
/** A visit takes some 15 s. */
const VISIT_TIMEOUT_MS = 120_000

/** Names its exact version. Installed apart from the product, for which it would triple the lock file. */
const FOLDER = fileURLToPath(new URL('lighthouse/', import.meta.url))

const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js')

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'].join(' ')

/** Lighthouse's report on one visit, as far as it is used here. */
export interface Report {
  /** Scores from 0 to 1. */
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

/** Installs it, unless npm finds that nothing is missing. */
export async function installLighthouse(): Promise<void> {
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', ...options], { cwd: FOLDER })
}

/** Visits a page once as a slow phone would, in a browser of its own. */
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
