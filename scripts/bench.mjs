// `npm run bench` sets up what is missing, measures every part and prints its table.
// `npm run bench -- rounds` measures one part.

import './system.cjs'

const MAIN = ['--import', './scripts/typescript.mjs', 'bench/main.ts']

const { orExplain, setUp } = await import('./setup.mjs')
const { run } = await import('./run.mjs')
const { createTestEnvironment } = await import('./test-environment.mjs')

async function measure() {
  await setUp({ dev: true })
  // npm installs Lighthouse with the settings in the user's home folder.
  const { HOME, REPEATS } = process.env
  const env = { ...createTestEnvironment(), HOME, REPEATS }
  await run('The measurement', [...MAIN, ...process.argv.slice(2)], { env })
}

await orExplain(measure())
