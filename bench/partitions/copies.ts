import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../../server/database/pool.ts'
import { withClient } from '../../tests/support/connect.ts'

/** A backup of some rows. */
export interface Copied {
  readonly seconds: number
  readonly bytes: number
}

/** Copies rows as `npm run backup` does, but neither compresses nor keeps them: what comes is counted and dropped. */
export function copyRows(connection: Connection, sources: readonly string[]): Promise<Copied> {
  return withClient(connection, async client => {
    const began = performance.now()
    let bytes = 0
    for (const source of sources) {
      const sink = new Writable({
        write(piece: Buffer, _, done) {
          bytes += piece.length
          done()
        },
      })
      await pipeline(client.query(copyTo(`copy ${source} to stdout`)), sink)
    }
    return { seconds: (performance.now() - began) / 1_000, bytes }
  })
}
