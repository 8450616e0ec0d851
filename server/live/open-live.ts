import type { Connection, Database } from '../database/pool.ts'
import type { Logger } from '../log.ts'
import type { NameMask } from '../people/refused-names.ts'
import { Live } from './broadcast.ts'
import { DatabasePoller } from './poller.ts'
import { Readiness } from './readiness.ts'

interface Deps {
  readonly connection: Connection
  readonly database: Database
  readonly mask: NameMask
  readonly log: Logger
}

export function openLive({ connection, database, mask, log }: Deps) {
  const poller = new DatabasePoller(connection, log)
  const broadcast = new Live(database, poller, log, mask)
  const readiness = new Readiness(database, poller)
  return {
    poller,
    readiness,
    broadcast,
    async begin(): Promise<void> {
      await broadcast.open()
      await poller.open()
    },
    async close(): Promise<void> {
      await poller.close()
      await readiness.close()
    },
  }
}
