// `npm test`: sets up what is missing, then runs every check in order and stops at the first that fails. One starts when
// the one before has ended, so that what is said last tells what failed; each keeps two cores busy by itself.
// `npm test -- unit server/env.test.ts` runs one of them, with more arguments for its tool; `--all` among them runs the
// long tests too, of which `npm test` has one of each kind.

import { requireNode } from './node-version.mjs'

requireNode()

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const TSC = 'node_modules/typescript/bin/tsc'

/**
 * The commands of a check run side by side.
 *
 * @type {Record<string, { heading: string, commands: string[][] }>}
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
    commands: [['node_modules/vitest/vitest.mjs', 'run', '--config', 'faults/vitest.config.ts']],
  },
  e2e: { heading: 'Browser tests', commands: [['node_modules/@playwright/test/cli.js', 'test']] },
}

/** Names for several checks. */
/** @type {Record<string, string[]>} */
const GROUPS = { all: Object.keys(CHECKS), check: ['lint', 'types'] }

const parameters = process.argv.slice(2)
const [name = 'all', ...more] = parameters.filter(parameter => parameter !== '--all')
if (parameters.includes('--all')) Object.assign(process.env, { TESTS: 'all' })
const names = GROUPS[name] ?? [name]

const { orExplain, setUp } = await import('./setup.mjs')
const { SetupError } = await import('./project.mjs')
const { run } = await import('./run.mjs')

async function test() {
  for (const name of names) {
    if (!CHECKS[name])
      throw new SetupError(`No check is called ${name}: there are ${Object.keys(CHECKS).join(', ')}.`)
  }
  await setUp({ dev: true })
  for (const name of names) {
    const { heading = name, commands = [] } = CHECKS[name] ?? {}
    console.log(`\n== ${heading}`)
    const ends = await Promise.allSettled(commands.map(command => run(heading, [...command, ...more])))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
}

await orExplain(test())
