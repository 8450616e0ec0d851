import { EventEmitter } from 'node:events'
import pg from 'pg'
import { LIVE_PARTS, type LivePart } from '../../contract/live.ts'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { type Connection, clientConfig, type Database } from '../database/pool.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'

const CHANNEL = 'taps_live'
const RECONNECT_MS = 500
/** A connection that hangs without an error is found by asking over it. */
const PROBE_MS = 10_000

/** Tells every node that listens that parts have changed. */
export async function announce(
  database: Database | pg.ClientBase,
  parts: readonly LivePart[],
): Promise<void> {
  await database.query('select pg_notify($1, $2)', [CHANNEL, parts.join(',')])
}

interface PubSubEvents {
  /** Parts have changed; after a lost connection, with which a notice may have been lost, that may be all of them. */
  changed: [parts: readonly LivePart[]]
  /** The database is away. */
  away: []
}

/** Tells the nodes that share a database of each other's changes (LISTEN and NOTIFY). */
export class PubSub extends EventEmitter<PubSubEvents> {
  readonly #connection: Connection
  readonly #database: Database
  readonly #log: Logger
  readonly #unsent = new Set<LivePart>()
  readonly #sender = new Throttle(1_000 / LIVE_WRITES_PER_SECOND, () => this.#notify())
  #client: pg.Client | undefined
  #listening = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(connection: Connection, database: Database, log: Logger) {
    super()
    this.#connection = connection
    this.#database = database
    this.#log = log
  }

  /** False while the database is away: notices from other nodes would be missed. */
  get listening(): boolean {
    return this.#listening
  }

  /**
   * Tells every node, this one included, that parts have changed; call it after the commit. Several calls within a tenth
   * of a second become one notice.
   */
  publish(...parts: readonly LivePart[]): void {
    for (const part of parts) this.#unsent.add(part)
    this.#sender.ask()
  }

  /** Starts to listen, and goes on listening through every loss of the database. */
  async open(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client(clientConfig(this.#connection))
    this.#client = client
    client.on('error', error => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => this.emit('changed', readParts(payload)))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#listening = true
      this.emit('changed', LIVE_PARTS)
      this.#probeLater(client)
    } catch (error) {
      // A connection that comes back at the first try was a blip; this is more.
      this.#listening = false
      this.emit('away')
      this.#lost(client, error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    void this.#sender.close()
    // Otherwise the other nodes would learn of the last change only with the next one.
    if (this.#unsent.size > 0) await this.#notify()
    await this.#client?.end().catch(() => undefined)
  }

  async #notify(): Promise<void> {
    const parts = [...this.#unsent]
    this.#unsent.clear()
    try {
      await announce(this.#database, parts)
    } catch (error) {
      this.#log.warn({ err: error }, 'a change could not be announced')
      setTimeout(() => this.publish(...parts), RECONNECT_MS).unref()
    }
  }

  #probeLater(client: pg.Client): void {
    this.#timer = setTimeout(async () => {
      await client.query('select 1').then(
        () => this.#probeLater(client),
        (error: unknown) => this.#lost(client, error),
      )
    }, PROBE_MS).unref()
  }

  #lost(client: pg.Client, error?: unknown): void {
    if (this.#client !== client || this.#closed) return
    this.#client = undefined
    clearTimeout(this.#timer)
    this.#log.warn({ err: error }, 'the connection for live updates was lost')
    void client.end().catch(() => undefined)
    this.#timer = setTimeout(() => void this.open(), RECONNECT_MS)
  }
}

function readParts(payload: string | undefined): LivePart[] {
  const named = new Set(payload?.split(','))
  return LIVE_PARTS.filter(part => named.has(part))
}
