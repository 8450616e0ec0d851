import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { makeFolder } from './draft.mjs'
import { run } from './run.mjs'

export const VITE = 'node_modules/vite/bin/vite.js'

/** Files and folders that the result depends on. */
const SOURCES = [
  ...['contract', 'server', 'web', 'package-lock.json'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'vite.config.ts', 'vite.server.config.ts'],
]

/** Says which sources the result is of. */
const STAMP = 'dist/.sources'

/**
 * Builds the server and the page, unless they are built from the sources as they are.
 *
 * @throws {import('./project.mjs').SetupError}
 */
export function build() {
  return makeFolder('dist', isBuilt, async draft => {
    console.log('Building …')
    const sources = hash(SOURCES)
    await vite('the server', ['--config', 'vite.server.config.ts', '--outDir', `${draft}/dist/server`])
    await vite('the page', ['--outDir', `${draft}/dist/web`])
    writeFileSync(`${draft}/${STAMP}`, sources)
  })
}

/** True when everything is built from the sources as they are. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash(SOURCES)
}

/**
 * @param {string} what
 * @param {readonly string[]} options
 */
function vite(what, options) {
  const env = { ...process.env, NODE_ENV: 'production' }
  return run(`Building ${what}`, [VITE, 'build', '--logLevel', 'error', ...options], { env })
}

/** @param {readonly string[]} paths */
function hash(paths) {
  const sum = createHash('sha256').update(process.version)
  for (const path of paths.flatMap(filesIn).sort()) {
    const content = readFileSync(path)
    sum.update(`${path}\0${content.length}\0`).update(content)
  }
  return sum.digest('hex')
}

/**
 * @param {string} path of a file or a folder
 * @returns {string[]} files whose content reaches the result
 */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return path.endsWith('.test.ts') ? [] : [path]
  if (path === 'server/testing') return []
  return readdirSync(path).flatMap(name => filesIn(`${path}/${name}`))
}
