// `npm run test:repeat -- 20` runs `npm test` that many times and stops at the first red run. With `--busy` an endless loop
// keeps every core busy at the same time.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import './system.mjs'
import { SetupError } from './project.mjs'
import { run } from './run.mjs'
import { orExplain } from './setup.mjs'

const argv = process.argv.slice(2)
const runs = Number(argv.find(argument => argument !== '--busy') ?? 20)

/** Ends with this process, however that ends. */
const LOOP = 'const { ppid } = process; while (process.ppid === ppid);'

async function repeat() {
  if (!Number.isInteger(runs) || runs < 1) throw new SetupError('How many times? npm run test:repeat -- 20')
  for (let core = 0; argv.includes('--busy') && core < availableParallelism(); core += 1) {
    spawn(process.execPath, ['--eval', LOOP], { stdio: 'ignore' }).unref()
  }
  for (let turn = 1; turn <= runs; turn += 1) {
    console.log(`\n== ${turn} of ${runs}`)
    await run('npm test', ['scripts/test.mjs'])
  }
}

await orExplain(repeat())
