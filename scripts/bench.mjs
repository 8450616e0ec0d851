// `npm run bench`: sets up what is missing, then measures every part and writes docs/benchmarks.md.
// `npm run bench -- rounds` measures one.

import './system.mjs'

const { orExplain, setUp } = await import('./setup.mjs')
const { run } = await import('./run.mjs')

await orExplain(
  setUp({ dev: true }).then(() =>
    run('The measurement', [
      '--import',
      './scripts/typescript.mjs',
      'bench/main.ts',
      ...process.argv.slice(2),
    ]),
  ),
)
