import { execFileSync } from 'node:child_process'
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

/** Files that are copied into the build, so that the build is complete and never changes. */
export const RUNTIME_FILES = ['server/lists', 'sql', 'package.json']

/** Files and folders that the build depends on. */
export const SOURCES = [
  ...['contract', 'server', 'sql', 'web', 'package.json', 'package-lock.json'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'vite.config.ts', 'vite.server.config.ts'],
]

/** The folder of all builds. A build never changes, because servers run from it. */
const BUILDS = 'builds'

/** A symbolic link to the newest build. */
const CURRENT = 'dist'

/** The file of a build that contains the checksum of the sources. */
const SUM = 'sources'

/** The file of a build that contains the version. */
const VERSION = 'version'

/** The space that a build needs. */
const NEEDED_MIB = 20

/** The number of builds to keep: the newest, and one that a server may still run from. */
const KEPT = 2

/**
 * Builds the server and the page, unless the build is up to date. A single rename replaces the old build with
 * the new build.
 *
 * @throws {import('./project.mjs').SetupError}
 */
export async function build() {
  if (isBuilt()) return refreshVersion()
  const draft = makeDraft(NEEDED_MIB, BUILDS)
  console.log('Building …')
  const sum = sumOfSources()
  await vite('the server', ['--config', 'vite.server.config.ts', '--outDir', `${draft}/server`])
  await vite('the page', ['--outDir', `${draft}/web`])
  for (const path of RUNTIME_FILES) cpSync(path, `${draft}/${path}`, { recursive: true })
  writeFileSync(`${draft}/${VERSION}`, describeVersion())
  writeFileSync(`${draft}/${SUM}`, sum)
  // Another process may have built the same sources in the meantime.
  if (!isBuilt()) publish(draft)
}

/** Replaces the version of the build, because a new tag changes the version but no source. */
function refreshVersion() {
  const version = describeVersion()
  if (readFileSync(`${CURRENT}/${VERSION}`, 'utf8') === version) return
  writeFileSync(`${CURRENT}/${VERSION}.new`, version)
  renameSync(`${CURRENT}/${VERSION}.new`, `${CURRENT}/${VERSION}`)
}

/**
 * Returns `TAPS_VERSION` if it is set, as in containers without git. Otherwise returns the tag or commit, or
 * the version in package.json.
 */
export function describeVersion() {
  const { version = '0.0.0' } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { TAPS_VERSION, PATH, HOME } = process.env
  if (TAPS_VERSION) return TAPS_VERSION
  try {
    // Ignores a repository that contains this checkout as a folder.
    if (!existsSync('.git')) return version
    const argv = ['describe', '--tags', '--always', '--dirty']
    const described = execFileSync('git', argv, {
      encoding: 'utf8',
      // Leaves out GIT_DIR, which in a hook names the hook's repository.
      env: { PATH, HOME },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return /^v?\d+\./.test(described) ? described.replace(/^v/, '') : `${version}+${described}`
  } catch {
    return version
  }
}

/** @param {string} draft */
function publish(draft) {
  const folder = `${BUILDS}/${Date.now()}`
  mkdirSync(BUILDS, { recursive: true })
  symlinkSync(folder, `${draft}.link`)
  renameSync(draft, folder)
  renameSync(`${draft}.link`, CURRENT)
  const oldestFirst = readdirSync(BUILDS).sort()
  for (const old of oldestFirst.slice(0, -KEPT)) remove(`${BUILDS}/${old}`)
}

/** Returns whether the build is up to date. */
export function isBuilt() {
  const file = `${CURRENT}/${SUM}`
  return (
    hasBuild() &&
    existsSync(file) &&
    existsSync(`${CURRENT}/${VERSION}`) &&
    readFileSync(file, 'utf8') === sumOfSources()
  )
}

/** Returns whether there is a build, up to date or not. */
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

/** Computes the checksum of everything that the build depends on. */
export function sumOfSources() {
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
