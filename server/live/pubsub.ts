import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import pg from 'pg'
import { LIVE_PARTS, type LivePart } from '../../contract/live.ts'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { type Connection, clientConfig, type Database } from '../database/pool.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'

const CHANNEL = 'taps_live'
const NOTIFY = 'select pg_notify($1, $2)'
const RECONNECT_MS = 500
/** What a node says must come back to it within this; so long after that it says it again. */
const HEARING_MS = 5_000

/** Tells every node that listens that parts have changed. */
export async function announce(
  database: Database | pg.ClientBase,
  parts: readonly LivePart[],
): Promise<void> {
  await database.query(NOTIFY, [CHANNEL, parts.join(',')])
}

interface PubSubEvents {
  /** Parts have changed, or may have: now and then that is all of them, as a notice may have been lost. */
  changed: [parts: readonly LivePart[]]
  /** Changes may have gone unheard for longer than a node may be deaf. */
  away: []
}

/**
 * Tells the nodes that share a database of each other's changes (LISTEN and NOTIFY). A connection may be up and yet bring
 * nothing, over a line or through a pooler that lost what it was told: so a node listens for its own word as well, which it
 * says by way of the pool.
 */
export class PubSub extends EventEmitter<PubSubEvents> {
  readonly #connection: Connection
  readonly #database: Database
  readonly #log: Logger
  readonly #hearingMs: number
  readonly #unsent = new Set<LivePart>()
  readonly #sender = new Throttle(1_000 / LIVE_WRITES_PER_SECOND, () => this.#notify())
  /** What nobody else says, and no older version takes for a part. */
  readonly #word = `heard:${randomUUID()}`
  #client: pg.Client | undefined
  #listening = false
  /** This connection has brought its own word. */
  #proven = false
  #reconnection: NodeJS.Timeout | undefined
  #proof: NodeJS.Timeout | undefined
  /** Runs while it is not known whether this node hears. */
  #silence: NodeJS.Timeout | undefined
  #closed = false

  /** @param hearingMs after which a node that does not hear itself counts as deaf */
  constructor(connection: Connection, database: Database, log: Logger, hearingMs = HEARING_MS) {
    super()
    this.#hearingMs = hearingMs
    this.#connection = connection
    this.#database = database
    this.#log = log
  }

  /** False while changes may go unheard. */
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

  /** Starts to listen, and goes on listening through every loss of the database. Resolves when it hears, or cannot for now. */
  async open(): Promise<void> {
    const settled = new Promise<void>(resolve => this.once('changed', () => resolve()).once('away', resolve))
    void this.#connect()
    await settled
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of [this.#reconnection, this.#proof, this.#silence]) clearTimeout(timer)
    void this.#sender.close()
    // Otherwise the other nodes would learn of the last change only with the next one.
    if (this.#unsent.size > 0) await this.#notify()
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client(clientConfig(this.#connection))
    this.#client = client
    client.on('error', error => this.#lost(client, error))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => this.#hear(client, payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      void this.#prove()
    } catch (error) {
      // A connection that comes back at the first try was a blip; this is more.
      this.#goAway()
      this.#lost(client, error)
    }
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

  async #prove(): Promise<void> {
    this.#awaitWord()
    await this.#database.query(NOTIFY, [CHANNEL, this.#word]).catch(() => this.#proveLater(RECONNECT_MS))
  }

  #proveLater(ms: number): void {
    if (this.#closed) return
    clearTimeout(this.#proof)
    this.#proof = setTimeout(() => void this.#prove(), ms).unref()
  }

  #awaitWord(): void {
    this.#silence ??= setTimeout(() => this.#deaf(), this.#hearingMs).unref()
  }

  #hear(client: pg.Client, payload = ''): void {
    if (client !== this.#client) return
    if (payload === this.#word) return void this.#heard()
    const named = new Set(payload.split(','))
    const parts = LIVE_PARTS.filter(part => named.has(part))
    // Before the first word all of them are still to come.
    if (this.#proven && parts.length > 0) this.emit('changed', parts)
  }

  #heard(): void {
    clearTimeout(this.#silence)
    this.#silence = undefined
    this.#proveLater(this.#hearingMs)
    this.#proven = true
    this.#listening = true
    // Each time: of an act whose answer was lost, or whose node was, nobody else may say that it has changed anything.
    this.emit('changed', LIVE_PARTS)
  }

  #deaf(): void {
    this.#silence = undefined
    this.#goAway()
    if (this.#client) this.#lost(this.#client, new Error(`nothing was heard for ${this.#hearingMs} ms`))
  }

  #goAway(): void {
    this.#listening = false
    this.emit('away')
  }

  #lost(client: pg.Client, error?: unknown): void {
    if (this.#client !== client || this.#closed) return
    this.#client = undefined
    this.#proven = false
    clearTimeout(this.#proof)
    this.#awaitWord()
    this.#log.warn({ err: error }, 'the connection for live updates was lost')
    void client.end().catch(() => undefined)
    this.#reconnection = setTimeout(() => void this.#connect(), RECONNECT_MS)
  }
}
