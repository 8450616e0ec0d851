import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode } from '../support/node.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { until } from '../support/until.ts'
import { command } from './command.ts'
import { PROXIES } from './proxies.ts'
import { type RunningProxy, runProxy } from './proxy.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const VISITS = ['/', '/', '/', '/', '/', '/', '/#board', '/#board', '/#board']
const MISSING = 'Part of the page did not arrive. Trying again...'
/** The longest wait between two tries is 30 s, and a page may just have begun it. */
const STARTED_TIMEOUT_MS = 90_000

interface Visit {
  readonly page: Page
  readonly path: string
}

let postgres: SharedPostgres
let folder = ''
let nodes: ServerNode[] = []
let proxy: RunningProxy
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  // Below the checkout, so that the copy finds its packages.
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.cache/next-build-'))
  await cp(join(ROOT, 'dist/'), folder, { recursive: true, dereference: true })
  await buildPage(join(folder, 'web'))
  postgres = await SharedPostgres.open()
  nodes = [await startNode(), await startNode([join(folder, 'server/main.js')])]
  const [nginx] = PROXIES.filter(({ name }) => name === 'nginx')
  if (!nginx) throw new Error('No proxy is called nginx')
  const urls = nodes.map(({ url }) => url)
  proxy = await runProxy(nginx, urls)
  const { executablePath, env } = await findChromium()
  browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } })
  context = await browser.newContext({ ignoreHTTPSErrors: true })
})

afterAll(async () => {
  await browser?.close()
  await proxy?.stop()
  for (const node of nodes) await node.end('SIGTERM')
  await postgres?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Builds the page with other names for its files, as the next release has. */
async function buildPage(outDir: string): Promise<void> {
  const script = 'assets/[name]-next-[hash].js'
  const assetFileNames = 'assets/[name]-next-[hash][extname]'
  const output = { entryFileNames: script, chunkFileNames: script, assetFileNames }
  const options = { logLevel: 'error', build: { outDir, rolldownOptions: { output } } }
  const vite = pathToFileURL(join(ROOT, 'node_modules/vite/dist/node/index.js'))
  const code = `import { build } from '${vite}'; await build(${JSON.stringify(options)})`
  await command('env', '-C', ROOT, 'NODE_ENV=production', process.execPath, '--input-type=module', '-e', code)
}

async function startNode(parameters?: readonly string[]): Promise<ServerNode> {
  const settings = { ...postgres.settings(), TRUST_PROXY: 'loopback', PORT: `${await freePort('127.0.0.1')}` }
  return ServerNode.start(settings, parameters)
}

/** What a page shows once its script runs. */
function sign({ page, path }: Visit): Locator {
  return path === '/' ? page.getByRole('button', { name: 'Start' }) : page.getByText('Recent attempts')
}

test('every first visit and every wall says that a part is missing, and starts once one build is left', async () => {
  const visits: Visit[] = await Promise.all(
    VISITS.map(async path => {
      const page = await context.newPage()
      await page.goto(proxy.url + path)
      return { page, path }
    }),
  )
  let missed = 0
  await until('every page to start or to say what is missing', async () => {
    const missing = await Promise.all(visits.map(({ page }) => page.getByText(MISSING).isVisible()))
    const started = await Promise.all(visits.map(visit => sign(visit).isVisible()))
    missed = Math.max(missed, missing.filter(Boolean).length)
    return missing.every((isMissing, n) => isMissing || started[n])
  })
  expect(missed).toBeGreaterThan(0)

  const [old] = nodes
  const port = new URL(old?.url ?? '').port
  await old?.end('SIGTERM')
  const settings = { ...postgres.settings(), TRUST_PROXY: 'loopback', PORT: port }
  nodes[0] = await ServerNode.start(settings, [join(folder, 'server/main.js')])
  const deadline = performance.now() + STARTED_TIMEOUT_MS
  for (const visit of visits) {
    await sign(visit).waitFor({ timeout: Math.max(1, deadline - performance.now()) })
  }
})
