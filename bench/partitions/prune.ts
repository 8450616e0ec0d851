import { withClient } from '../../tests/support/connect.ts'
import { median } from '../series.ts'
import { writtenBytes } from '../wal.ts'
import type { History } from './history.ts'
import type { Month } from './past.ts'

/** What it took to take a month out while people played. */
export interface Pruned {
  readonly seconds: number
  /** To the end of the transaction from the first statement that keeps attempts waiting, ms. */
  readonly lockedMs: number
  /** Until there is room for other rows, in seconds. */
  readonly vacuumSeconds: number
  /** Written to the log, with that of the batches played meanwhile. */
  readonly logBytes: number
  readonly freedBytes: number
  /** Of the batches played meanwhile, ms. */
  readonly batch: number
  readonly longestBatch: number
}

export async function prune(history: History, month: Month): Promise<Pruned> {
  const { connection, layout } = history
  const [log, room] = [await writtenBytes(connection), await history.room()]
  let over = false
  const times: number[] = []
  const playing = (async () => {
    while (!over || times.length === 0) times.push(await history.recordBatch())
  })()
  // What it says is thrown where it is waited for, and not while nobody looks.
  playing.catch(() => undefined)
  try {
    const took = await withClient(connection, async client => {
      await client.query(layout.beforePrune)
      const began = performance.now()
      const { first, last } = layout.prune(month)
      await client.query(`begin; ${first}`)
      const locked = performance.now()
      for (const statement of [...last, 'commit']) await client.query(statement)
      const done = performance.now()
      // A batch that had begun before the end would keep the rows that are gone for itself.
      over = true
      await playing
      const free = performance.now()
      await client.query(layout.afterPrune)
      return {
        seconds: (done - began) / 1_000,
        lockedMs: done - locked,
        vacuumSeconds: (performance.now() - free) / 1_000,
      }
    })
    const after = await history.room()
    return {
      ...took,
      logBytes: (await writtenBytes(connection)) - log,
      freedBytes: room.rows + room.indexes - after.rows - after.indexes,
      batch: median(times),
      longestBatch: Math.max(...times),
    }
  } finally {
    over = true
    await playing.catch(() => undefined)
  }
}
