import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/connection.ts'
import { VERSION } from '../lib/project.ts'
import type { Broadcast } from '../live/broadcast.ts'
import type { Readiness } from '../live/readiness.ts'

/** The age of the last backup in seconds; infinite without a backup. */
const BACKUP_AGE = `
  select coalesce(
    extract(epoch from now() - (select created_at from operator_acts where act = 'backup' order by id desc limit 1)),
    'infinity'
  )::float8 as age`

async function readBackupAge(database: Database): Promise<number> {
  const answer = await database.query<{ age: number }>(BACKUP_AGE).catch(() => null)
  return answer?.rows[0]?.age ?? Number.NaN
}

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1, 5]

export class Metrics {
  readonly registry = new Registry()
  readonly attempts = this.#counter('taps_attempts_total', 'Attempts recorded')
  readonly wins = this.#counter('taps_wins_total', 'Attempts that won the pool')
  readonly refused = this.#counter(
    'taps_refused_requests_total',
    'Requests refused because their address had exceeded its limit',
  )
  readonly requests = new Histogram({
    name: 'taps_request_seconds',
    help: 'Time to answer, by route and status',
    buckets: SECONDS,
    labelNames: ['route', 'status'],
    registers: [this.registry],
  })

  constructor(database: Database, readiness: Readiness, broadcast: Broadcast) {
    collectDefaultMetrics({ register: this.registry })
    new Gauge({
      name: 'taps_build_info',
      help: 'Always 1, labelled with the versions of TAPS and Node',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    }).set({ version: VERSION, node: process.versions.node }, 1)
    this.#gauge('taps_viewers', 'Open live streams', () => broadcast.viewers)
    this.#gauge('taps_database_up', '1 while the database answers', () => Number(!readiness.isUnavailable))
    this.#gauge('taps_last_backup_age_seconds', 'Time since the last backup', () =>
      readiness.isUnavailable ? Number.NaN : readBackupAge(database),
    )
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] })
  }

  #gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read())
      },
    })
  }
}
