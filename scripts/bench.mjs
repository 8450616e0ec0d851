// `npm run bench:clock`: sets up what is missing, then measures. `npm run bench:clock -- 20` plays 20 rounds each.

import { requireNode } from './node-version.mjs'

requireNode()

const [name, rounds = ''] = process.argv.slice(2)

const { orExplain, setUp } = await import('./setup.mjs')
const { run } = await import('./run.mjs')

async function bench() {
  await setUp({ dev: true })
  const command = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    `bench/${name}/playwright.config.ts`,
  ]
  await run('The measurement', command, { env: { ...process.env, ROUNDS: rounds } })
}

await orExplain(bench())
