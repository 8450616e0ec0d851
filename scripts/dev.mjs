// `npm run dev` restarts the server at every change, and serves the page from Vite at another address. Debuggers
// attach to the server at Node's default port, 9229.

import './system.cjs'

const { orExplain, setUp } = await import('./setup.mjs')
const { VITE } = await import('./build.mjs')
const { run } = await import('./run.mjs')
const { loadSettings } = await import('./settings.mjs')

const NODE = ['--watch', '--watch-preserve-output', '--enable-source-maps', '--inspect']
const SERVER = ['--import', './scripts/typescript.mjs', 'server/main.ts']

async function develop() {
  await setUp({ dev: true })
  loadSettings()
  await Promise.all([run('The server', [...NODE, ...SERVER]), run('The page', [VITE])]).catch(error => {
    // Ends the program that still runs.
    process.emit('SIGTERM')
    throw error
  })
}

await orExplain(develop())
