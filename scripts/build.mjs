import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { makeFolder } from './draft.mjs'
import { requireWritable, SetupError } from './project.mjs'
import { run } from './run.mjs'

export const VITE = 'node_modules/vite/bin/vite.js'

/** What the server reads as it is: it goes into the build, so that a build is of one moment. */
export const AS_THEY_ARE = ['lists', 'sql', 'package.json']

/** Files and folders that the result depends on. */
const SOURCES = [
  ...AS_THEY_ARE,
  ...['contract', 'server', 'web', 'package-lock.json'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'vite.config.ts', 'vite.server.config.ts'],
]

/** Each build has a folder here, named by its sources, and nothing in it ever changes: servers run from it. */
const BUILDS = 'builds'

/** A symbolic link to the newest build. */
const CURRENT = 'dist'

/** How many builds stay, 4 MB each: a server may still have to read from the one that it was started from. */
const KEPT = 10

/**
 * Builds the server and the page, unless they are built from the sources as they are.
 *
 * @throws {SetupError}
 */
export async function build() {
  const folder = folderOf(hash(SOURCES))
  if (isCurrent(folder)) return
  requireWritable('.')
  mkdirSync(BUILDS, { recursive: true })
  await makeFolder(
    folder,
    () => existsSync(folder),
    async draft => {
      console.log('Building …')
      await vite('the server', ['--config', 'vite.server.config.ts', '--outDir', `${draft}/${folder}/server`])
      await vite('the page', ['--outDir', `${draft}/${folder}/web`])
      for (const path of AS_THEY_ARE) cpSync(path, `${draft}/${folder}/${path}`, { recursive: true })
    },
  )
  makeCurrent(folder)
  removeOld()
}

/** True when everything is built from the sources as they are. */
export function isBuilt() {
  return isCurrent(folderOf(hash(SOURCES)))
}

/**
 * For what uses a build, whichever it is, and makes none.
 *
 * @throws {SetupError} when there is none
 */
export function requireBuild() {
  if (existsSync(`${CURRENT}/server`) && existsSync('node_modules')) return
  throw new SetupError('TAPS is not built here yet: npm start or npm run build does it.')
}

/** @param {string} sources */
function folderOf(sources) {
  return `${BUILDS}/${sources.slice(0, 16)}`
}

/** @param {string} folder of a build */
function isCurrent(folder) {
  return existsSync(CURRENT) && lstatSync(CURRENT).isSymbolicLink() && readlinkSync(CURRENT) === folder
}

/**
 * Takes the place of the build before by one rename: whoever starts finds the one or the other.
 *
 * @param {string} folder of a build
 */
function makeCurrent(folder) {
  utimesSync(folder, new Date(), new Date())
  const link = `${BUILDS}/link-${process.pid}`
  symlinkSync(folder, link)
  // The releases before builds had folders of their own had one in this place.
  const isFolder = lstatSync(CURRENT, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder) renameSync(CURRENT, `${BUILDS}/before-${Date.now()}`)
  renameSync(link, CURRENT)
}

function removeOld() {
  const age = (/** @type {string} */ folder) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const folders = readdirSync(BUILDS).map(name => `${BUILDS}/${name}`)
  const newestFirst = folders.sort((one, other) => age(other) - age(one))
  for (const folder of newestFirst.slice(KEPT)) rmSync(folder, { recursive: true, force: true })
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
  const sum = createHash('sha256')
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
  if (path === 'tests/support') return []
  return readdirSync(path).flatMap(name => filesIn(`${path}/${name}`))
}
