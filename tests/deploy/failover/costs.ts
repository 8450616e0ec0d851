import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Auditor } from '../../support/audit.ts'
import type { Crowd } from '../../support/crowd.ts'

const COMMITS = 200
const POLL_MS = 100

/** What play costs, as people and the database see it. */
export interface Costs {
  readonly 'rounds a second': number
  readonly 'commit ms, median': number
  readonly 'commit ms, 95th of 100': number
}

/** Lets a crowd play for so long, and one connection of its own commit a little beside it. */
export async function costs(crowd: Crowd, auditor: Auditor, seconds: number): Promise<Costs> {
  const before = crowd.acknowledged.length
  const began = performance.now()
  const [times] = await Promise.all([auditor.read(commitTimes), sleep(seconds * 1_000)])
  const tookSeconds = (performance.now() - began) / 1_000
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1))
  return {
    'rounds a second': Math.round((crowd.acknowledged.length - before) / tookSeconds),
    'commit ms, median': at(0.5),
    'commit ms, 95th of 100': at(0.95),
  }
}

/** Waits until the database has read that commits wait for no replica. */
export async function nobodyIsWaitedFor(pool: pg.Pool): Promise<void> {
  const isWaitedFor = async () => {
    const { rows } = await pool.query("select where current_setting('synchronous_standby_names') <> ''")
    return rows.length > 0
  }
  while (await isWaitedFor()) await sleep(POLL_MS)
}

/** How long one after the other took, ms, the shortest first; each writes a few bytes to the log of changes. */
async function commitTimes(pool: pg.Pool): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < COMMITS; count += 1) {
    const began = performance.now()
    await pool.query("select pg_logical_emit_message(true, 'failover', '.')")
    times.push(performance.now() - began)
  }
  return times.sort((one, other) => one - other)
}
