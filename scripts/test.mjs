// `npm test`: sets up what is missing, then runs every check, stage by stage, and ends with the first that fails.
// `npm test -- unit server/env.test.ts` runs one of them, with more arguments for its tool; `--all` among them runs the
// long tests too, of which `npm test` has one of each kind.

import './system.mjs'

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const TSC = 'node_modules/typescript/bin/tsc'

/**
 * The commands of a check run side by side. Those `on` one system are left out on others, with one line that says so.
 *
 * @type {Record<string, { heading: string, commands: string[][], on?: NodeJS.Platform }>}
 */
const CHECKS = {
  lint: { heading: 'Format and lint', commands: [[BIOME, 'ci', '--error-on-warnings', '.']] },
  types: {
    heading: 'Types',
    commands: ['tsconfig.json', 'tsconfig.web.json', 'scripts/tsconfig.json'].map(file => [
      TSC,
      '--noEmit',
      '-p',
      file,
    ]),
  },
  unit: { heading: 'Unit and integration tests', commands: [['node_modules/vitest/vitest.mjs', 'run']] },
  faults: {
    heading: 'Kills, races and lost replies',
    // They look into processes by /proc.
    on: 'linux',
    commands: [['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/faults/vitest.config.ts']],
  },
  anywhere: {
    heading: 'With the programs of this machine',
    commands: [['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/deploy/vitest.config.ts']],
  },
  browsers: {
    heading: 'In Firefox and WebKit',
    commands: [
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/deploy/browsers/vitest.config.ts'],
    ],
  },
  e2e: { heading: 'Browser tests', commands: [['node_modules/@playwright/test/cli.js', 'test']] },
}

/**
 * The checks of a stage run side by side, and what each of them says is shown when it has ended. Those of faults and of
 * the browser fill two cores each: side by side they took longer than one after the other.
 *
 * @type {Record<string, string[][]>}
 */
const STAGES = {
  all: [['lint', 'types', 'unit'], ['faults'], ['anywhere', 'e2e']],
  check: [['lint', 'types']],
}

const parameters = process.argv.slice(2)
const [name = 'all', ...more] = parameters.filter(parameter => parameter !== '--all')
if (parameters.includes('--all')) Object.assign(process.env, { TESTS: 'all' })
const stages = STAGES[name] ?? [[name]]

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')

async function test() {
  for (const name of stages.flat()) {
    if (!CHECKS[name])
      throw new SetupError(`No check is called ${name}: there are ${Object.keys(CHECKS).join(', ')}.`)
  }
  await setUp({ dev: true })
  for (const stage of stages) await allOf(stage.map(name => check(name, stage.length > 1)))
}

/**
 * @param {string} name
 * @param {boolean} held what it says is shown when it has ended
 */
async function check(name, held) {
  const { heading = name, commands = [], on = process.platform } = CHECKS[name] ?? {}
  if (on !== process.platform) return console.log(`\n== ${heading}: left out, they run on ${on} alone`)
  if (!held) console.log(`\n== ${heading}`)
  await allOf(commands.map(command => run(heading, [...command, ...more], { held })))
}

/**
 * Waits for all, so that none goes on when another has failed.
 *
 * @param {Promise<void>[]} parts
 */
async function allOf(parts) {
  for (const end of await Promise.allSettled(parts)) if (end.status === 'rejected') throw end.reason
}

await orExplain(test())
