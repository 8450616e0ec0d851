import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findChromium } from '../../tests/support/chromium.ts'
import { RIVALS } from '../install.ts'

/** A report is about 1 MB of JSON. */
const REPORT_MAX_BYTES = 16 * 2 ** 20
/** A visit takes some 15 s. */
const VISIT_TIMEOUT_MS = 120_000

const LIGHTHOUSE = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', RIVALS))

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'].join(' ')

/** One audit; its score is from 0 to 1, or null where there is none. */
export interface Audit {
  readonly id: string
  readonly score: number | null
  readonly numericValue?: number
}

/** Lighthouse's report on one visit, as far as it is used here. */
export interface Report {
  readonly lighthouseVersion: string
  readonly categories: Readonly<Record<string, Pick<Audit, 'score'>>>
  readonly audits: Readonly<Record<string, Audit>>
}

/** Visits a page once as a slow phone would, in a browser of its own. */
export async function audit(url: string): Promise<Report> {
  const { executablePath, env } = await findChromium()
  const options = ['--quiet', '--output=json', '--output-path=stdout', `--chrome-flags=${FLAGS}`]
  const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, url, ...options], {
    env: { ...process.env, ...env, CHROME_PATH: executablePath },
    maxBuffer: REPORT_MAX_BYTES,
    timeout: VISIT_TIMEOUT_MS,
  })
  return JSON.parse(stdout)
}
