// `npm run dev` rebuilds and restarts the server at every change, and serves the page from Vite at another
// address. Debuggers attach to the server at Node's default port, 9229.

import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import './system.cjs'

/** A folder like a build, except that its files change. */
const FOLDER = '.cache/dev'
const POLL_MS = 100

const { orExplain, setUp } = await import('./setup.mjs')
const { RUNTIME_FILES, VITE } = await import('./build.mjs')
const { run } = await import('./run.mjs')
const { loadSettings } = await import('./settings.mjs')

const SERVER = [
  ...['--config', 'vite.server.config.ts', '--outDir', `${FOLDER}/server`],
  ...['--emptyOutDir', 'false', '--sourcemap'],
]

const NODE = ['--watch', '--watch-preserve-output', '--enable-source-maps', '--inspect']

async function develop() {
  await setUp({ dev: true })
  loadSettings()
  rmSync(FOLDER, { recursive: true, force: true })
  for (const path of RUNTIME_FILES) {
    mkdirSync(dirname(`${FOLDER}/${path}`), { recursive: true })
    symlinkSync(resolve(path), `${FOLDER}/${path}`)
  }
  symlinkSync(resolve('dist/web'), `${FOLDER}/web`)
  await Promise.all([
    run('Building the server', [VITE, 'build', ...SERVER, '--watch']),
    firstBuild().then(() => run('The server', [...NODE, `${FOLDER}/server/main.js`])),
    run('The page', [VITE]),
  ]).catch(error => {
    // Ends the programs that still run.
    process.emit('SIGTERM')
    throw error
  })
}

/** Waits for the last file of the first build, so that the server does not start twice. */
async function firstBuild() {
  while (!existsSync(`${FOLDER}/server/main.js.map`)) await setTimeout(POLL_MS)
}

await orExplain(develop())
