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
const NEEDED = { mib: 20, files: 200 }

/**
 * Builds the server and the page, unless the build is up to date. The symbolic link `dist` leads to the newest
 * build, so a single rename replaces the old build.
 *
 * @throws {import('./project.mjs').SetupError}
 */
export async function build() {
  if (isBuilt()) return
  const draft = makeDraft(NEEDED)
  console.log('Building …')
  const sum = sumOfSources()
  const env = { ...process.env, NODE_ENV: 'production' }
  const vite = [VITE, 'build', '--logLevel', 'error', '--outDir']
  await run('Building the server', [...vite, `${draft}/server`, '--config', 'vite.server.config.ts'], { env })
  await run('Building the page', [...vite, `${draft}/web`], { env })
  for (const path of RUNTIME_FILES) cpSync(path, `${draft}/${path}`, { recursive: true })
  writeFileSync(`${draft}/version`, describeVersion(sum))
  writeFileSync(`${draft}/sources`, sum)
  publish(draft)
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
  mkdirSync(BUILDS, { recursive: true })
  const folder = place(draft)
  symlinkSync(folder, `${draft}.link`)
  renameSync(`${draft}.link`, 'dist')
  for (const old of oldestFirst().slice(0, -KEPT)) remove(`${BUILDS}/${old}`)
}

/**
 * Moves the draft to the number after the newest build. No rename replaces a build, so a process that is slower with
 * the same sources adopts the other's build.
 *
 * @param {string} draft
 * @returns {string} the folder of the build
 */
function place(draft) {
  const newest = oldestFirst().at(-1) ?? '0'
  if (sourcesOf(`${BUILDS}/${newest}`) === sourcesOf(draft)) return `${BUILDS}/${newest}`
  const folder = `${BUILDS}/${numberOf(newest) + 1}`
  try {
    renameSync(draft, folder)
    return folder
  } catch (error) {
    if (!existsSync(folder)) throw error
    return place(draft)
  }
}

function oldestFirst() {
  return readdirSync(BUILDS).sort((one, other) => numberOf(one) - numberOf(other))
}

/** @param {string} name - The name of a build; earlier releases added a process ID to its number. */
function numberOf(name) {
  return Number.parseInt(name, 10)
}

/**
 * @param {string} folder - The folder of a build.
 * @returns {string | undefined} the checksum of the sources that it was made from
 */
function sourcesOf(folder) {
  return existsSync(`${folder}/sources`) ? readFileSync(`${folder}/sources`, 'utf8') : undefined
}

/** Returns whether there is a build, up to date or not. */
export function hasBuild() {
  return existsSync('dist/server') && existsSync('node_modules')
}

/** Returns whether the build is up to date. */
function isBuilt() {
  return hasBuild() && sourcesOf('dist') === sumOfSources()
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
