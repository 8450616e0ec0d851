// `npm run bench`: sets up what is missing, then measures every part and writes docs/benchmarks.md.
// `npm run bench:rounds` measures one; `npm run bench:clock -- 20` plays 20 rounds each.

import { requireNode } from './node-version.mjs'

requireNode()

const [name = 'all', ...more] = process.argv.slice(2)

const { orExplain, setUp } = await import('./setup.mjs')
const { run } = await import('./run.mjs')

async function bench() {
  await setUp({ dev: true })
  if (name === 'clock') return inBrowser()
  return run('The measurement', ['--import', './scripts/typescript.mjs', 'bench/main.ts', name, ...more])
}

/** Playwright brings the browser, so it runs what needs one. */
function inBrowser() {
  const [rounds = ''] = more
  const playwright = 'node_modules/@playwright/test/cli.js'
  const command = [playwright, 'test', '--config', 'bench/clock/playwright.config.ts']
  return run('The measurement', command, { env: { ...process.env, ROUNDS: rounds } })
}

await orExplain(bench())
