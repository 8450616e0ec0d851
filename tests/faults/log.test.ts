import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { VERSION } from '../../server/lib/version.ts'
import { ServerNode } from '../support/node.ts'
import { Random } from '../support/random.ts'
import { SHARED_SECRET } from '../support/shared-postgres.ts'
import { report, SEED, sized } from '../support/size.ts'
import { ownStage } from '../support/stage.ts'

const STOPS = sized(2, 30)
/** From before the database is asked for until after the port is open. */
const START_MS: readonly [number, number] = [0, 1_000]
const NOWHERE = { DATABASE_URL: 'postgres://taps@127.0.0.1:1/taps', SECRET: SHARED_SECRET }
/** As soon as the server has said who hears of it, Node warns of something, and then an error is thrown. */
const MISHAPS = `process.on('newListener', name => name === 'uncaughtException' && process.nextTick(() => {
  process.emitWarning('odd')
  setImmediate(() => { throw new Error('no good') })
}))`

const random = new Random(SEED)
const stage = ownStage({ LOG_LEVEL: 'silent' })

/** What a server has said on both streams, line by line. */
function linesOf({ output }: ServerNode): Record<string, unknown>[] {
  return output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

test('without a terminal every line is an object, the first names the version, and one says where the game is', () => {
  const [first, ready, ...more] = linesOf(stage.node)
  expect(first).toMatchObject({
    level: 40,
    version: VERSION,
    msg: expect.stringContaining('RATE_LIMITS is off'),
  })
  const msg = `TAPS is ready at ${stage.node.url}`
  expect(ready).toMatchObject({ level: 30, time: expect.any(Number), version: VERSION, msg })
  expect(more).toEqual([])
})

test('what keeps a server from starting is one such line', async () => {
  const node = ServerNode.launch({ ...stage.settings(), PORT: 'none' })
  await node.exited
  expect(node.exitCode).toBe(1)
  const line = { level: 60, version: VERSION, msg: expect.stringMatching(/^PORT is "none": expected/) }
  expect(linesOf(node)).toEqual([expect.objectContaining(line)])
})

test('so is what Node itself would say: a warning, and the error that ends the process', async () => {
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(MISHAPS)}"`
  const node = ServerNode.launch({ ...NOWHERE, RATE_LIMITS: 'on', NODE_OPTIONS })
  await node.exited
  expect(node.exitCode).toBe(1)
  expect(linesOf(node)).toEqual([
    expect.objectContaining({ level: 40, msg: 'Warning: odd' }),
    expect.objectContaining({ level: 60, msg: 'no good', err: expect.objectContaining({ type: 'Error' }) }),
  ])
})

test('a stop while it starts warns nobody', async () => {
  await stage.node.end('SIGTERM')
  const settings = { ...stage.settings(), RATE_LIMITS: 'on', LOG_LEVEL: 'info' }
  for (let n = 0; n < STOPS; n += 1) {
    const node = ServerNode.launch(settings)
    await sleep(random.whole(...START_MS))
    await node.end('SIGTERM')
    const warnings = node.output === '' ? [] : linesOf(node).filter(({ level }) => Number(level) >= 40)
    expect(warnings).toEqual([])
  }
  report('stops while it starts', { stops: STOPS })
})
