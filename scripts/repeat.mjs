// `npm run test:repeat -- 20` runs `npm test` 20 times, and stops at the first failure. `--busy` keeps every
// core busy with an endless loop.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import './system.cjs'
import { SetupError } from './project.mjs'
import { run } from './run.mjs'
import { orExplain } from './setup.mjs'

const argv = process.argv.slice(2)
const runs = Number(argv.find(argument => argument !== '--busy') ?? 20)

/** An endless loop that ends with this process, even after a kill. */
const LOOP = 'const { ppid } = process; while (process.ppid === ppid);'

async function repeat() {
  if (!Number.isInteger(runs) || runs < 1)
    throw new SetupError('Expected a whole number of runs: npm run test:repeat -- 20')
  for (let core = 0; argv.includes('--busy') && core < availableParallelism(); core += 1) {
    spawn(process.execPath, ['--eval', LOOP], { stdio: 'ignore' }).unref()
  }
  for (let turn = 1; turn <= runs; turn += 1) {
    console.log(`\n== ${turn} of ${runs}`)
    await run('npm test', ['scripts/test.mjs'])
  }
}

await orExplain(repeat())
