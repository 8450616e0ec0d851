// `npm test` sets up what is missing, then runs every check. A check prints one line and, if it fails, its
// output. `npm test -- unit server/settings.test.ts` runs one check with arguments and shows its output. `--all`
// adds the long tests; without `--all`, one long test of each kind runs.

import './system.cjs'

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const TSC = 'node_modules/typescript/bin/tsc'
const PROJECTS = ['tsconfig.json', 'tsconfig.web.json', 'scripts/tsconfig.json']
const VITEST = 'node_modules/vitest/vitest.mjs'
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/**
 * The commands of each check, which run in parallel.
 *
 * @type {Record<string, string[][]>}
 */
const CHECKS = {
  lint: [[BIOME, 'ci', '--error-on-warnings', '.']],
  types: PROJECTS.map(file => [TSC, '--noEmit', '-p', file]),
  unit: [[VITEST, 'run']],
  faults: [[VITEST, 'run', '--config', 'tests/faults/vitest.config.ts']],
  browser: [[PLAYWRIGHT, 'test']],
  bench: [['--import', './scripts/typescript.mjs', 'bench/main.ts']],
}

/** The checks of a stage run in parallel. A whole run measures nothing. */
const STAGES = [['lint', 'types'], ['unit'], ['faults'], ['browser']]

/** The checks that read only the source, so that nothing needs to be built. */
const SOURCE_CHECKS = ['lint', 'types']

/** The packages contain a Chromium only for this platform. */
const HAS_BROWSER = `${process.platform} ${process.arch}` === 'linux x64'

const parameters = process.argv.slice(2)
const [name, ...more] = parameters.filter(parameter => parameter !== '--all')
if (parameters.includes('--all')) Object.assign(process.env, { TESTS: 'all' })

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')
const { createTestEnvironment } = await import('./test-environment.mjs')

const env = createTestEnvironment()

async function test() {
  if (name && !CHECKS[name]) {
    throw new SetupError(`No check is called ${name}; the checks are ${Object.keys(CHECKS).join(', ')}.`)
  }
  await setUp({ dev: true, built: !name || !SOURCE_CHECKS.includes(name) })
  await (name ? runOne(name) : runAll())
}

async function runAll() {
  let passed = 0
  for (const stage of STAGES) {
    const counts = await Promise.all(stage.map(runHeld))
    passed += counts.reduce((sum, count) => sum + count, 0)
  }
  console.log(`\n${passed} passed, 0 failed`)
}

/** @param {string} name */
async function runOne(name) {
  for (const command of CHECKS[name] ?? []) await run(name, [...command, ...more], { env })
}

/**
 * Runs a check and prints its line.
 *
 * @param {string} name
 * @returns {Promise<number>} the number of passed tests
 */
async function runHeld(name) {
  if (name === 'browser' && !HAS_BROWSER) {
    console.log(`${name.padEnd(8)}skipped: runs only on linux x64`)
    return 0
  }
  const began = performance.now()
  const options = { held: true, env: { ...env, NO_COLOR: '1' } }
  const outputs = await Promise.all((CHECKS[name] ?? []).map(command => run(name, command, options)))
  const passed = outputs.reduce((sum, output) => sum + countPassed(name, output), 0)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${name.padEnd(8)}${seconds.padStart(6)} s${passed ? `  ${passed} passed` : ''}`)
  return passed
}

/**
 * Reads the number of passed tests from the output of Vitest or Playwright.
 *
 * @param {string} name
 * @param {string} output
 * @throws {SetupError} when a test was skipped
 */
function countPassed(name, output) {
  const summary = /^ *Tests +(.*)$/m.exec(output)?.[1] ?? output
  if (/\d+ (skipped|todo|flaky|did not run)/.test(summary)) {
    throw new SetupError(`${name}: some tests did not run:\n${output}`)
  }
  return Number(/(\d+) passed/.exec(summary)?.[1] ?? 0)
}

await orExplain(test())
