import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/connection.ts'
import { VERSION } from '../lib/project.ts'
import { addressMatcher } from '../limits/address.ts'
import type { DatabasePoller } from '../live/poller.ts'
import type { Env } from '../settings.mjs'
import { isForwarded } from './secure.ts'

const INTERVAL_MS = 60_000

/** The age of the last backup in seconds; infinite without a backup. */
const READ = `
  select coalesce(
    extract(epoch from now() - (select created_at from operator_acts where act = 'backup' order by id desc limit 1)),
    'infinity'
  )::float8 as age`

/** Reads the age of the last backup once a minute, so that no scrape waits for the database. */
export class BackupAge {
  readonly #database: Database
  #timer: NodeJS.Timeout | undefined
  #age = Number.NaN
  #readAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** The age in seconds; NaN before the first read. */
  get seconds(): number {
    return this.#age + (performance.now() - this.#readAt) / 1_000
  }

  begin(): void {
    void this.read()
    this.#timer = setInterval(() => void this.read(), INTERVAL_MS).unref()
  }

  async read(): Promise<void> {
    const answer = await this.#database.query<{ age: number }>(READ).catch(() => null)
    const age = answer?.rows[0]?.age
    if (age === undefined) return
    this.#age = age
    this.#readAt = performance.now()
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1, 5]

/** Sources of the gauges, all in memory so that no scrape waits for the database. */
interface Shown {
  readonly backupAge: Pick<BackupAge, 'seconds'>
  readonly poller: { readonly health: Pick<DatabasePoller['health'], 'isUnavailable'> }
  readonly broadcast: { readonly viewers: number }
  readonly game: string
}

export class Metrics {
  readonly registry = new Registry()
  readonly attempts = this.#counter('taps_attempts_total', 'Attempts recorded')
  readonly wins = this.#counter('taps_wins_total', 'Attempts that won the pool')
  readonly refused = this.#counter(
    'taps_refused_requests_total',
    'Requests refused because their address had exceeded its limit',
  )
  readonly forwarded = this.#counter(
    'taps_forwarded_requests_total',
    'Requests with a forwarding header, by whether TRUST_PROXY names their sender',
    'believed',
  )
  readonly requests = new Histogram({
    name: 'taps_request_seconds',
    help: 'Time to answer, by route and status',
    buckets: SECONDS,
    labelNames: ['route', 'status'],
    registers: [this.registry],
  })

  constructor({ backupAge, game, poller, broadcast }: Shown) {
    collectDefaultMetrics({ register: this.registry })
    for (const believed of ['yes', 'no']) this.forwarded.inc({ believed }, 0)
    new Gauge({
      name: 'taps_build_info',
      help: 'Always 1, labelled with the versions of TAPS and Node and with the ID of the game',
      labelNames: ['version', 'node', 'game'],
      registers: [this.registry],
    }).set({ version: VERSION, node: process.versions.node, game }, 1)
    this.#gauge('taps_viewers', 'Open live streams', () => broadcast.viewers)
    this.#gauge('taps_last_backup_age_seconds', 'Time since the last backup', () => backupAge.seconds)
    this.#gauge('taps_database_up', '1 while the database answers', () =>
      Number(!poller.health.isUnavailable(performance.now())),
    )
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read())
      },
    })
  }
}

/** Returns a hook that counts each answer. */
export function answerCounter(metrics: Metrics, { trustProxy }: Pick<Env, 'trustProxy'>) {
  const isProxy = addressMatcher(trustProxy || [])

  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { headers, routeOptions, socket } = request
    metrics.requests.observe(
      { route: routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1_000,
    )
    if (isForwarded(headers)) {
      metrics.forwarded.inc({ believed: isProxy(socket.remoteAddress ?? '') ? 'yes' : 'no' })
    }
  }
}
