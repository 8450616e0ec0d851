import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What one node counts, for Prometheus. */
export class Metrics {
  readonly registry = new Registry()
  readonly attempts = this.#counter('taps_attempts_total', 'Attempts recorded')
  readonly wins = this.#counter('taps_wins_total', 'Attempts that won the pool')
  readonly flagged = this.#counter('taps_flagged_total', 'Players flagged as too steady to be people')
  readonly returned = this.#counter('taps_returned_total', 'TAPS of prizes that went back to the pool')
  readonly refused = this.#counter('taps_refused_total', 'Requests beyond what an address may ask for')
  readonly requests = new Histogram({
    name: 'taps_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers: [this.registry],
  })

  /** @param viewers how many there are now */
  constructor(viewers: () => number) {
    collectDefaultMetrics({ register: this.registry })
    new Gauge({
      name: 'taps_viewers',
      help: 'Open live streams',
      registers: [this.registry],
      collect() {
        this.set(viewers())
      },
    })
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] })
  }
}
