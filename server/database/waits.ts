import type { PoolClient } from 'pg'
import type { Database } from './pool.ts'

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void

/** Tells how long each caller of a pool has waited for a connection, in seconds, also one that got none. */
export function timeWaits(database: Database, observe: (seconds: number) => void): void {
  const connect = database.connect.bind(database)

  // `query` of the pool comes this way, too.
  function timed(callback?: Callback): Promise<PoolClient> | undefined {
    const since = performance.now()
    const waited = () => observe((performance.now() - since) / 1_000)
    if (!callback) return connect().finally(waited)
    connect((...result) => {
      waited()
      callback(...result)
    })
    return undefined
  }

  Object.assign(database, { connect: timed })
}
