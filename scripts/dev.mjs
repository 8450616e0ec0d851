// `npm run dev`: the server, built and started again at every change of its sources, and beside it the page by Vite at
// its own address, which asks that server.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import './system.mjs'

/** In the form of a build, but not one: what is in it changes. */
const FOLDER = '.cache/dev'

const { orExplain, setUp } = await import('./setup.mjs')
const { RUNTIME_FILES, VITE } = await import('./build.mjs')
const { run } = await import('./run.mjs')
const { loadSettings } = await import('./settings.mjs')

const SERVER = ['--config', 'vite.server.config.ts', '--outDir', `${FOLDER}/server`, '--emptyOutDir', 'false']

async function develop() {
  await setUp({ dev: true })
  loadSettings()
  rmSync(FOLDER, { recursive: true, force: true })
  for (const path of RUNTIME_FILES) {
    mkdirSync(dirname(`${FOLDER}/${path}`), { recursive: true })
    symlinkSync(resolve(path), `${FOLDER}/${path}`)
  }
  symlinkSync(resolve('dist/web'), `${FOLDER}/web`)
  await run('Building the server', [VITE, 'build', '--logLevel', 'error', ...SERVER])
  await Promise.all([
    run('Building the server', [VITE, 'build', ...SERVER, '--watch']),
    run('The server', ['--watch', '--watch-preserve-output', `${FOLDER}/server/main.js`]),
    run('The page', [VITE]),
  ]).catch(error => {
    // Ends the others.
    process.emit('SIGTERM')
    throw error
  })
}

await orExplain(develop())
