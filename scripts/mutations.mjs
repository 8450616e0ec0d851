// `npm run test:mutations`: puts faults into the code, one at a time, and tells which of them no test beside it finds. It
// takes hours; `npm run test:mutations -- contract` does it in one folder, `-- web/round.ts` in one file.

import { existsSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import './system.mjs'

const { npm } = await import('./install.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')
const { orExplain, setUp } = await import('./setup.mjs')

/** With its 167 packages the lock file would be twice as long: it is brought when it is asked for. */
const VERSION = '9.6.1'
const FOLDER = resolve(import.meta.dirname, '../.cache/stryker', VERSION)
const MAIN = resolve(FOLDER, 'node_modules/@stryker-mutator/core/dist/src/index.js')

/** Whose files have their tests beside them; what only a browser can do is tested in e2e/. */
const TESTED = ['contract', 'web', 'server/game']

async function bring() {
  if (existsSync(MAIN)) return
  const packages = ['core', 'vitest-runner'].map(name => `@stryker-mutator/${name}@${VERSION}`)
  // It runs our own vitest, which legacy-peer-deps leaves it.
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-save', '--no-progress', '--loglevel=error']
  await run(`Bringing Stryker ${VERSION}`, [npm(), 'install', '--prefix', FOLDER, ...options, ...packages])
}

/**
 * @param {string} folder
 * @returns {string[]} its files that have a test of their own
 */
function filesOf(folder) {
  const names = readdirSync(folder)
  return names
    .filter(name => names.includes(name.replace(/\.ts$/, '.test.ts')) && !name.endsWith('.test.ts'))
    .map(name => `${folder}/${name}`)
}

/**
 * @param {string} folder whose tests find the faults
 * @param {string[]} files in which they are
 */
async function mutate(folder, files) {
  console.log(`\n==== ${folder}`)
  const { Stryker } = await import(pathToFileURL(MAIN).href)
  Object.assign(process.env, { TESTS_OF_FAULTS: `${folder}/*.test.ts` })
  const report = `.cache/mutations/${folder.replace('/', '-')}`
  await new Stryker({
    mutate: files,
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutations.vitest.mjs' },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    reporters: ['progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { logTests: false, reportTests: false },
    htmlReporter: { fileName: `${report}.html` },
    tempDirName: '.cache/mutated',
    ignorePatterns: ['.cache', 'dist', 'builds', 'data', 'backups', 'screenshots', 'test-results'],
    // What the tests of a server need as it was built.
    buildCommand: `ln -s '${resolve('dist')}' dist`,
    // The TypeScript that it knows is older than ours.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    warnings: { slow: false },
    // Beside what its tests take without it; most faults that never end are loops.
    timeoutMS: 15_000,
  }).runMutationTest()
}

async function test() {
  await setUp({ dev: true })
  const asked = process.argv.slice(2)
  /** @param {string} file */
  const isAsked = file => asked.length === 0 || asked.includes(file) || asked.includes(dirname(file))
  const files = TESTED.flatMap(filesOf).filter(isAsked)
  if (files.length === 0)
    throw new SetupError(`There are faults for ${TESTED.join(', ')}, and for a file with a test.`)
  await bring()
  for (const folder of TESTED) {
    const own = files.filter(file => dirname(file) === folder)
    if (own.length > 0) await mutate(folder, own)
  }
}

await orExplain(test())
