import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { requireWritable } from './project.mjs'
import { run } from './run.mjs'

export const VITE = 'node_modules/vite/bin/vite.js'

/** What the server reads as it is: it goes into the build, so that a build is of one moment. */
export const AS_THEY_ARE = ['server/identity/lists', 'sql', 'package.json']

/** Files and folders that the result depends on. */
export const SOURCES = [
  ...['contract', 'server', 'sql', 'web', 'package.json', 'package-lock.json'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'vite.config.ts', 'vite.server.config.ts'],
]

/** Each build has a folder here in which nothing ever changes: servers run from it. */
const BUILDS = 'builds'

/** A symbolic link to the newest build. */
const CURRENT = 'dist'

/** In a build: a sum of what it was made from. */
const SUM = 'sources'

/** How many builds stay, 4 MB each: a server may still have to read from the one that it was started from. */
const KEPT = 10

/**
 * Builds the server and the page, unless they are built from the sources as they are. The new build takes the place of
 * the one before by one rename: whoever starts finds the one or the other, and of two builds at once each is whole.
 *
 * @throws {import('./project.mjs').SetupError}
 */
export async function build() {
  if (isBuilt()) return
  requireWritable('.', BUILDS)
  console.log('Building …')
  const sum = sumOfSources()
  const folder = `${BUILDS}/${Date.now()}-${process.pid}`
  mkdirSync(folder, { recursive: true })
  await vite('the server', ['--config', 'vite.server.config.ts', '--outDir', `${folder}/server`])
  await vite('the page', ['--outDir', resolve(folder, 'web')])
  for (const path of AS_THEY_ARE) cpSync(path, `${folder}/${path}`, { recursive: true })
  writeFileSync(`${folder}/${SUM}`, sum)
  symlinkSync(folder, `${folder}.link`)
  renameSync(`${folder}.link`, CURRENT)
  removeOld()
}

function removeOld() {
  const born = (/** @type {string} */ name) => Number.parseInt(name, 10) || 0
  const oldestFirst = readdirSync(BUILDS).sort((one, other) => born(one) - born(other))
  for (const old of oldestFirst.slice(0, -KEPT)) rmSync(`${BUILDS}/${old}`, { recursive: true, force: true })
}

/** True when everything is built from the sources as they are. */
export function isBuilt() {
  return (
    hasBuild() &&
    existsSync(`${CURRENT}/${SUM}`) &&
    readFileSync(`${CURRENT}/${SUM}`, 'utf8') === sumOfSources()
  )
}

/** True when there is something to run, whatever has changed since. */
export function hasBuild() {
  return existsSync(`${CURRENT}/server`) && existsSync('node_modules')
}

/**
 * @param {string} what
 * @param {readonly string[]} options
 */
function vite(what, options) {
  const env = { ...process.env, NODE_ENV: 'production' }
  return run(`Building ${what}`, [VITE, 'build', '--logLevel', 'error', ...options], { env })
}

/** A sum of all that the result depends on. */
export function sumOfSources() {
  const sum = createHash('sha256')
  for (const path of SOURCES.flatMap(filesIn).sort()) {
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
  return readdirSync(path).flatMap(name => filesIn(`${path}/${name}`))
}
