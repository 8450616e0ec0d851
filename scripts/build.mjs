import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { inProject, requireWritable } from './project.mjs'
import { run } from './run.mjs'

/**
 * @typedef {object} Target
 * @property {string} name for people
 * @property {string[]} sources files and folders that the result depends on
 * @property {string} result a folder in `dist`
 * @property {string} stamp says which sources the result is of; written last
 * @property {string[]} options of Vite
 */

const COMMON = ['contract', 'package-lock.json', 'tsconfig.base.json']

export const VITE = 'node_modules/vite/bin/vite.js'

/** Results are made here, as deep in the project as in `dist`, and moved when complete. */
const DRAFTS = '.cache'

/** @type {Target[]} */
const TARGETS = [
  {
    name: 'the server',
    sources: [...COMMON, 'server', 'vite.server.config.ts', 'tsconfig.json'],
    result: 'server',
    stamp: 'dist/.server',
    options: ['--config', 'vite.server.config.ts', '--outDir', `${DRAFTS}/server`],
  },
  {
    name: 'the page',
    sources: [...COMMON, 'web', 'vite.config.ts', 'tsconfig.web.json'],
    result: 'web',
    stamp: 'dist/.web',
    options: ['--emptyOutDir', '--outDir', `../${DRAFTS}/web`],
  },
]

/** True when everything is built from the sources as they are. */
export function isBuilt() {
  return TARGETS.every(isCurrent)
}

/**
 * Builds what is not built from the sources as they are.
 *
 * @param {{ onStart: (pid: number) => void }} options
 * @throws {import('./project.mjs').SetupError}
 */
export async function build({ onStart }) {
  requireWritable(inProject('dist'))
  mkdirSync(inProject('dist'), { recursive: true })
  for (const target of TARGETS.filter(target => !isCurrent(target))) {
    console.log(`Building ${target.name} …`)
    const sources = hash(target.sources)
    remove(DRAFTS, target.result)
    const command = [VITE, 'build', '--logLevel', 'error', ...target.options]
    const env = { ...process.env, NODE_ENV: 'production' }
    await run(`Building ${target.name}`, command, { onStart, env })
    remove(target.stamp)
    remove('dist', target.result)
    renameSync(inProject(DRAFTS, target.result), inProject('dist', target.result))
    writeFileSync(inProject(target.stamp), sources)
  }
}

/** @param {Target} target */
function isCurrent({ sources, result, stamp }) {
  if (!existsSync(inProject('dist', result)) || !existsSync(inProject(stamp))) return false
  return readFileSync(inProject(stamp), 'utf8') === hash(sources)
}

/** @param {...string} path */
function remove(...path) {
  rmSync(inProject(...path), { recursive: true, force: true })
}

/** @param {readonly string[]} paths */
function hash(paths) {
  const sum = createHash('sha256').update(process.version)
  for (const path of paths.flatMap(filesIn).sort()) {
    const content = readFileSync(inProject(path))
    sum.update(`${path}\0${content.length}\0`).update(content)
  }
  return sum.digest('hex')
}

/**
 * @param {string} path of a file or a folder
 * @returns {string[]} files whose content reaches the result
 */
function filesIn(path) {
  if (!statSync(inProject(path)).isDirectory()) return path.endsWith('.test.ts') ? [] : [path]
  if (path === 'server/testing') return []
  return readdirSync(inProject(path)).flatMap(name => filesIn(`${path}/${name}`))
}
