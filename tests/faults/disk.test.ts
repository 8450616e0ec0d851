import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isTransientError } from '../../server/database/connection-errors.ts'
import { errorCode } from '../../server/lib/errors.ts'
import { Crowd } from '../support/crowd/crowd.ts'
import { Random } from '../support/random.ts'
import { SEED } from '../support/size.ts'
import { ownStage } from '../support/stage.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

const FILLS = 5
const PLAYERS = 20
/** The fewest and the most attempts before the disk is filled. */
const ATTEMPTS_BETWEEN: readonly [number, number] = [50, 200]
const ATTEMPTS_AFTERWARDS = 10
/** The size of the disk. A new database cluster needs 47 MB, and its write-ahead log needs 80 MB. */
const SIZE = '256m'
/** The size of a message: half a segment of the write-ahead log. */
const LOG_BYTES = 8 * 1_024 * 1_024

const random = new Random(SEED)
let mount = ''

beforeAll(async () => {
  mount = await mkdtemp(join(tmpdir(), 'taps-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', mount]
  await run('mount', options).catch(error => {
    throw new Error(`Mounting a small disk failed; run this test as root on Linux: ${error.message}`)
  })
  await mkdir(join(mount, 'data'))
})

// Hooks run in reverse order, so the disk is removed after the server has stopped.
afterAll(async () => {
  await run('umount', [mount])
  await rm(mount, { recursive: true })
})

const stage = ownStage({}, async () => join(mount, 'data'))

const filler = () => join(mount, 'filler')
const makeRoom = () => rm(filler(), { force: true })

async function fill(): Promise<void> {
  const file = await open(filler(), 'a')
  for (const bytes of [1_048_576, 4_096]) {
    try {
      for (;;) await file.write(Buffer.alloc(bytes))
    } catch (error) {
      if (errorCode(error) !== 'ENOSPC') throw error
    }
  }
  await file.close()
}

/** Fills the write-ahead log until PostgreSQL panics and all its processes end. */
async function exhaustLog(): Promise<void> {
  for (;;) {
    try {
      await stage.auditor.once(`select pg_logical_emit_message(true, 'faults', repeat('.', ${LOG_BYTES}))`)
    } catch (error) {
      // Only the connection that needs disk space receives the panic; all other connections are just closed.
      if (isTransientError(error)) return
      throw error
    }
  }
}

const readiness = async () => (await fetch(`${stage.node.url}/readyz`)).status

it('the server is not ready and loses nothing while the disk is full, and recovers when space is free', async () => {
  const { auditor } = stage
  const crowd = new Crowd({ players: PLAYERS, random, url: () => stage.node.url, auditor })
  for (const exhaust of Array(FILLS)
    .fill([async () => undefined, exhaustLog])
    .flat()) {
    await crowd.more(random.whole(...ATTEMPTS_BETWEEN))
    await fill()
    await exhaust()
    await until('the server to notice the full disk', async () => (await readiness()) === 503)
    expect((await fetch(`${stage.node.url}/healthz`)).status).toBe(200)
    await makeRoom()
    await crowd.more(ATTEMPTS_AFTERWARDS)
    await until('the server to be ready', async () => (await readiness()) === 200)
  }
  await crowd.leave()
  expect(crowd.statuses.get('lost')).toBeUndefined()
  expect(stage.node.isUp).toBe(true)
})
