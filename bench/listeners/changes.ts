import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_PARTS } from '../../contract/live.ts'
import type { Database } from '../../server/database/pool.ts'
import { Recorder } from '../../server/game/recorder.ts'
import { announce } from '../../server/live/pubsub.ts'

/** Where a change is told with nothing but the time. */
export const CHANNEL = 'changes_at'

/** Ms since the epoch, finer than `Date.now` and the same in every process of this machine. */
export function exactNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Makes a change and tells of it. */
export type Tell = () => Promise<unknown>

/** A change of nothing, told of at once. */
export function tellTime(database: Database): Tell {
  return () => database.query('select pg_notify($1, $2)', [CHANNEL, `${exactNow()}`])
}

/** Records the attempt of a guest, and then tells as a node does, of all parts. */
export function play(database: Database): Tell {
  const recorder = new Recorder(database, 15)
  return async () => {
    await recorder.record({
      player: randomUUID(),
      round: 1,
      userId: null,
      username: 'A Guest',
      targetMs: 2_000,
      actualMs: 2_400,
      reason: null,
    })
    await announce(database, LIVE_PARTS)
  }
}

/** Tells so many times a second, on a schedule; how often in all. */
export async function keepTelling(tell: Tell, perSecond: number, seconds: number): Promise<number> {
  const began = performance.now()
  const told: Promise<unknown>[] = []
  while (told.length < perSecond * seconds) {
    told.push(tell())
    const dueMs = (told.length / perSecond) * 1_000
    await sleep(Math.max(0, began + dueMs - performance.now()))
  }
  await Promise.all(told)
  return told.length
}
