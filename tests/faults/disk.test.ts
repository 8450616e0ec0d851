import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ProblemBody } from '../../contract/api.ts'
import { isAway } from '../../server/database/pool.ts'
import { Auditor } from '../support/audit.ts'
import { Crowd } from '../support/crowd.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { endNodes, ServerNode } from '../support/node.ts'
import { Random } from '../support/random.ts'
import { connectionOf } from '../support/shared-postgres.ts'
import { report, SEED, sized } from '../support/size.ts'
import { expectNothingLost } from '../support/verdict.ts'
import { Disk } from './disk.ts'

const FILLS = sized(1, 5)
const PLAYERS = 20
/** Most of the short run is waiting, in which others need the machine. */
const PAUSE_MS = sized(80, 0)
const READ_PAUSE_MS = 20
const LULL: readonly [number, number] = sized([20, 60], [50, 200])
/** Play is back when so many attempts are acknowledged again. */
const BACK = 10
/** So many probes in a row have to say the same. */
const PROBES = 20
const PROBE_MS = 100
/** Half of what PostgreSQL keeps ready for its log of changes. */
const LOG_BYTES = 8 * 1_024 * 1_024

const random = new Random(SEED)
const mounted = await Disk.mount()
const { disk } = mounted
let node: ServerNode
let auditor: Auditor

beforeAll(async () => {
  if (!disk) return
  const dataDir = await disk.folder()
  node = await ServerNode.start({ DATA_DIR: dataDir })
  auditor = new Auditor(await connectionOf(dataDir))
})

afterAll(async () => {
  if (!disk) return
  await disk.empty()
  await auditor.close()
  await endNodes()
  await disk.unmount()
})

async function readiness(): Promise<{ status: number; title: string }> {
  const answer = await fetch(`${node.url}/readyz`)
  const { title } = (await answer.json()) as Partial<ProblemBody>
  return { status: answer.status, title: title ?? '' }
}

/** Writes to PostgreSQL's log of changes until there is no room for it, which ends every process of PostgreSQL. */
async function exhaustLog(): Promise<void> {
  const write = () =>
    auditor.once(`select pg_logical_emit_message(true, 'faults', repeat('.', ${LOG_BYTES}))`)
  for (;;) {
    const error = await write().then(
      () => null,
      (reason: unknown) => reason,
    )
    // Whoever asks for room first sees the panic; everybody else loses the connection.
    if (error && isAway(error)) return
    if (error) throw error
  }
}

/** Waits until probe after probe says that the game is not ready, and no attempt is recorded between them. */
async function untilNotReady(crowd: Crowd): Promise<void> {
  let probes = 0
  let acknowledged = 0
  while (probes < PROBES) {
    const { status, title } = await readiness()
    const still = crowd.acknowledged.length === acknowledged
    acknowledged = crowd.acknowledged.length
    probes = status === 503 && still ? probes + 1 : 0
    if (status === 503) expect(title).toMatch(/^The database cannot (be reached|record attempts)$/)
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
    await sleep(PROBE_MS)
  }
}

/** How long it takes from room on the disk until people play again, ms. */
async function untilPlay(room: Disk, crowd: Crowd): Promise<number> {
  await room.empty()
  const began = performance.now()
  await crowd.more(BACK)
  await vi.waitUntil(async () => (await readiness()).status === 200, { timeout: crowd.patienceMs })
  return performance.now() - began
}

it('is not ready while the disk is full, loses nothing and goes on when there is room', async context => {
  if (!disk) {
    process.stdout.write(`disk full: skipped, no small disk can be mounted here (${mounted.reason})\n`)
    return context.skip()
  }
  const crowd = new Crowd({ players: PLAYERS, random, url: () => node.url, pauseMs: PAUSE_MS })
  const watch = new LedgerWatch(auditor, READ_PAUSE_MS)
  let slowestMs = 0
  for (let count = 0; count < FILLS; count += 1) {
    for (const exhaust of [async () => undefined, exhaustLog]) {
      await crowd.more(random.whole(...LULL))
      await disk.fill()
      await exhaust()
      await untilNotReady(crowd)
      slowestMs = Math.max(slowestMs, await untilPlay(disk, crowd))
    }
  }
  const figures = await expectNothingLost(crowd, watch, auditor)
  expect(crowd.statuses.get('lost')).toBeUndefined()
  expect(node.isUp).toBe(true)
  report('disk full', {
    times: FILLS * 2,
    'slowest return to play ms': Math.round(slowestMs),
    ...figures,
  })
})
