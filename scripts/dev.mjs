// `npm run dev`: the server of `npm start`, built and started again at every change of its sources, and beside it
// the page by Vite at its own address, which asks that server.

import { requireNode } from './node-version.mjs'

requireNode()

const { orExplain, setUp } = await import('./setup.mjs')
const { VITE } = await import('./build.mjs')
const { run } = await import('./run.mjs')

await orExplain(
  setUp({ dev: true }).then(() =>
    Promise.all([
      run('Building the server', [VITE, 'build', '--config', 'vite.server.config.ts', '--watch']),
      run('The server', ['--watch', '--watch-preserve-output', 'dist/server/main.js']),
      run('The page', [VITE]),
    ]),
  ),
)
