// `npm run test:steady -- 20`: runs `npm test` that many times and prints a table of how long each stage took. With
// `--busy` an endless loop keeps every core busy meanwhile. Stops at the first red run: a test that fails once in twenty
// runs is a fault.

import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import './system.mjs'
import { npm } from './install.mjs'
import { SetupError } from './project.mjs'
import { orExplain } from './setup.mjs'

const parameters = process.argv.slice(2)
const isBusy = parameters.includes('--busy')
const runs = Number(parameters.find(parameter => parameter !== '--busy') ?? 20)

/** A stage's line of `npm test`: its heading, then its seconds. */
const STAGE = /^(\S.*?) +([\d.]+) s(?: |$)/gm

function repeat() {
  if (!Number.isInteger(runs) || runs < 1) throw new SetupError('How many times? npm run test:steady -- 20')
  const loops = isBusy ? Array.from({ length: availableParallelism() }, startLoop) : []
  try {
    for (let run = 1; run <= runs; run += 1) report(run, runTests())
  } finally {
    for (const loop of loops) loop.kill()
  }
}

/** Ends with this process, however that ends. */
function startLoop() {
  const program = 'const { ppid } = process; while (process.ppid === ppid);'
  return spawn(process.execPath, ['--eval', program], { stdio: 'ignore' })
}

/** @returns {string[]} the cells of a row: seconds in all, then of each stage */
function runTests() {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [npm(), 'test'], {
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 100_000_000,
  })
  if (status !== 0) throw new SetupError(`${stdout}${stderr}\nThis run of npm test was red.`)
  const seconds = Math.round((performance.now() - began) / 1_000)
  const stages = Array.from(stdout.matchAll(STAGE), ([, heading, taken]) => `${heading} ${taken}`)
  const [passed = ''] = /^\d+ passed, 0 failed$/m.exec(stdout) ?? []
  return [`${seconds} s`, ...stages, passed]
}

/**
 * @param {number} run
 * @param {string[]} cells
 */
function report(run, cells) {
  console.log(`| ${[String(run), ...cells].join(' | ')} |`)
}

await orExplain(Promise.resolve().then(repeat))
