import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { makeDraft, remove } from './project.mjs'
import { run } from './run.mjs'

export const VITE = 'node_modules/vite/bin/vite.js'

/** Files that are copied into the build, so that old code never runs with new SQL. */
export const RUNTIME_FILES = ['server/lists', 'sql', 'package.json']

/** Files and folders that the build depends on. */
export const SOURCES = [
  ...['contract', 'server', 'sql', 'web', 'package.json', 'package-lock.json'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'vite.config.ts', 'vite.server.config.ts'],
]

/** The folder of all builds. A build never changes, because servers run from it. */
const BUILDS = 'builds'

/** The number of builds to keep: the newest, and one that a server may still run from. */
const KEPT = 2

/** The space that a build needs. */
const NEEDED_MIB = 20

/**
 * Builds the server and the page, unless the build is up to date. The symbolic link `dist` leads to the newest
 * build, so a single rename replaces the old build.
 *
 * @throws {import('./project.mjs').SetupError}
 */
export async function build() {
  if (isBuilt()) return
  const draft = makeDraft(NEEDED_MIB)
  console.log('Building …')
  const sum = sumOfSources()
  const env = { ...process.env, NODE_ENV: 'production' }
  const vite = [VITE, 'build', '--logLevel', 'error', '--outDir']
  await run('Building the server', [...vite, `${draft}/server`, '--config', 'vite.server.config.ts'], { env })
  await run('Building the page', [...vite, `${draft}/web`], { env })
  for (const path of RUNTIME_FILES) cpSync(path, `${draft}/${path}`, { recursive: true })
  writeFileSync(`${draft}/version`, describeVersion(sum))
  writeFileSync(`${draft}/sources`, sum)
  // Another process may have built the same sources in the meantime.
  if (!isBuilt()) publish(draft)
}

const SUM_CHARS = 8

/**
 * Returns the version in package.json and the commit. Sources that no commit describes add their checksum, so that
 * two different programs never share a version. Containers, which lack git, set `TAPS_VERSION` to the commit.
 *
 * @param {string} sum - The checksum of the sources.
 */
function describeVersion(sum) {
  const { version = '0.0.0' } = JSON.parse(readFileSync('package.json', 'utf8'))
  const argv = ['describe', '--always', '--exclude=*', '--dirty=-changed']
  // Ignores a repository that contains this checkout as a folder.
  const { stdout = '' } = existsSync('.git') ? spawnSync('git', argv, { encoding: 'utf8' }) : {}
  const { TAPS_VERSION = '' } = process.env
  const commit = stdout?.trim() || TAPS_VERSION
  if (/^[\da-f]+$/.test(commit)) return `${version}+${commit}`
  return `${version}+${[commit, sum.slice(0, SUM_CHARS)].filter(part => part !== '').join('-')}`
}

/** @param {string} draft */
function publish(draft) {
  // Two processes may publish in the same millisecond.
  const folder = `${BUILDS}/${Date.now()}-${process.pid}`
  mkdirSync(BUILDS, { recursive: true })
  symlinkSync(folder, `${draft}.link`)
  renameSync(draft, folder)
  renameSync(`${draft}.link`, 'dist')
  const oldestFirst = readdirSync(BUILDS).sort()
  for (const old of oldestFirst.slice(0, -KEPT)) remove(`${BUILDS}/${old}`)
}

/** Returns whether there is a build, up to date or not. */
export function hasBuild() {
  return existsSync('dist/server') && existsSync('node_modules')
}

/** Returns whether the build is up to date. */
function isBuilt() {
  if (!hasBuild() || !existsSync('dist/sources')) return false
  return readFileSync('dist/sources', 'utf8') === sumOfSources()
}

/** Computes the checksum of everything that the build depends on. */
function sumOfSources() {
  const sum = createHash('sha256')
  for (const path of SOURCES.flatMap(filesIn).sort()) {
    const content = readFileSync(path)
    sum.update(`${path}\0${content.length}\0`).update(content)
  }
  return sum.digest('hex')
}

/**
 * @param {string} path - A file or a folder.
 * @returns {string[]} the files that affect the build
 */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return path.endsWith('.test.ts') ? [] : [path]
  return readdirSync(path).flatMap(name => filesIn(`${path}/${name}`))
}
