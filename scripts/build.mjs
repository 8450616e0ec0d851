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
 * @property {string[]} results folders in `dist`
 * @property {string} stamp says which sources the result is of; written last
 * @property {string[]} command
 */

const COMMON = ['contract', 'package-lock.json', 'tsconfig.base.json']

/** Results are made here, as deep in the project as in `dist`, and moved when complete. */
const DRAFTS = '.cache'

/** @type {Target[]} */
const TARGETS = [
  {
    name: 'the server',
    sources: [...COMMON, 'server', 'tsconfig.build.json'],
    results: ['contract', 'server'],
    stamp: 'dist/.server',
    command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', DRAFTS],
  },
  {
    name: 'the page',
    sources: [...COMMON, 'web', 'vite.config.ts', 'tsconfig.web.json'],
    results: ['web'],
    stamp: 'dist/.web',
    command: [
      'node_modules/vite/bin/vite.js',
      'build',
      '--logLevel',
      'error',
      '--emptyOutDir',
      '--outDir',
      `../${DRAFTS}/web`,
    ],
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
    for (const result of target.results) remove(DRAFTS, result)
    const env = { ...process.env, NODE_ENV: 'production' }
    await run(`Building ${target.name}`, target.command, { onStart, env })
    remove(target.stamp)
    for (const result of target.results) {
      remove('dist', result)
      renameSync(inProject(DRAFTS, result), inProject('dist', result))
    }
    writeFileSync(inProject(target.stamp), sources)
  }
}

/** @param {Target} target */
function isCurrent({ sources, results, stamp }) {
  if (!results.every(path => existsSync(inProject('dist', path))) || !existsSync(inProject(stamp)))
    return false
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
