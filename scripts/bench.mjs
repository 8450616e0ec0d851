// `npm run bench`: sets up what is missing, then measures every part and prints its table; `npm run bench -- rounds`
// measures one part. The clock uses the fixtures of the browser tests.

import './system.mjs'

const CLOCK = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'bench/clock/playwright.config.ts']
const OTHERS = ['--import', './scripts/typescript.mjs', 'bench/main.ts']

const { orExplain, setUp } = await import('./setup.mjs')
const { run } = await import('./run.mjs')

const [part, ...words] = process.argv.slice(2)

async function measure() {
  await setUp({ dev: true })
  if (part !== 'clock') await run('The measurement', [...OTHERS, ...process.argv.slice(2)])
  if (part === 'clock' || part === undefined) await run('The measurement', [...CLOCK, ...words])
}

await orExplain(measure())
