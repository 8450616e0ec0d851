import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, preview } from 'vite'
import { installRivals, RIVALS } from '../install.ts'

/** Other ways to time two presses, each a page that pushes what it measured to `globalThis.results`, in ms. */
export const PAGES = [
  { page: 'date-now', name: '`Date.now()` in a click handler' },
  { page: 'react-state', name: 'React state and `setInterval`' },
  { page: 'jspsych', name: "jsPsych's button response" },
] as const

const FOLDER = fileURLToPath(new URL('clock', RIVALS))

/** As isolated as our own page, so that all clocks are equally fine. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/** Where the pages of the others are. */
export interface RivalSite {
  readonly url: string
  stop(): Promise<void>
}

/** Installs what the other pages need, builds them as for visitors, and serves them on a free port. */
export async function serveRivals(): Promise<RivalSite> {
  await installRivals()
  const outDir = await mkdtemp(join(tmpdir(), 'taps-rivals-'))
  const common: InlineConfig = { root: FOLDER, configFile: false, logLevel: 'error', plugins: [react()] }
  const input = PAGES.map(({ page }) => join(FOLDER, `${page}.html`))
  await build({ ...common, build: { outDir, emptyOutDir: true, rolldownOptions: { input } } })
  const site = await preview({ ...common, build: { outDir }, preview: { port: 0, headers: ISOLATED } })
  return {
    url: new URL(site.resolvedUrls?.local[0] ?? '').origin,
    async stop() {
      await site.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/** The exact versions that are compared with. */
export async function rivalVersions(): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(new URL('package.json', RIVALS), 'utf8'))
  return ['jspsych', '@jspsych/plugin-html-button-response', 'react'].map(
    name => `${name} ${dependencies[name]}`,
  )
}
