import type { Registry } from 'prom-client'
import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Used } from '../limits/limits.ts'
import { Problem } from '../problem.ts'
import type { Crew } from './crew.ts'
import { isOurs, type ToPrimary, type ToWorker } from './messages.ts'

/** How far the workers' counts may lag behind each other. */
const TELL_MS = 100
/** Keys told of at once, about 600 kB; what is beyond counts in this process alone. */
const MAX_TOLD = 10_000
/** Longer than the primary waits for the slowest worker. */
const FIGURES_TIMEOUT_MS = 4_000

type Order = Extract<ToWorker, { kind: 'serve' }>

/** The other workers of this server, as one of them reaches them: by way of the primary. */
export class Colleagues implements Crew {
  readonly #order: Promise<Order>
  readonly #used = new Map<string, Used>()
  readonly #teller = new Throttle(TELL_MS, () => this.#tellUsed())
  readonly #askFigures = shared(() => this.#requestFigures())
  #limits: Limiter | null = null
  #own: Registry | null = null
  #onFigures: (text: string) => void = () => undefined

  constructor() {
    this.#order = new Promise(resolve => {
      process.on('message', (message: unknown) => {
        if (isOurs(message)) void this.#hear(message as ToWorker, resolve)
      })
    })
  }

  /** Asks the primary what to do; it is told once. */
  async order(): Promise<Order> {
    // What is sent before somebody listens would be lost.
    await this.tell({ kind: 'ready' })
    return this.#order
  }

  /** Resolves once the primary has it, or is gone. */
  tell(message: ToPrimary): Promise<void> {
    return new Promise(resolve => {
      if (!process.connected) return resolve()
      process.send?.(message, undefined, undefined, () => resolve())
    })
  }

  join(limits: Limiter, own: Registry): () => void {
    this.#limits = limits
    this.#own = own
    const unsubscribe = limits.subscribe(used => this.#note(used))
    return () => {
      unsubscribe()
      this.#teller.close()
      this.#limits = null
    }
  }

  /** @throws Problem `unavailable` when they do not come in time */
  figures(): Promise<string> {
    return this.#askFigures()
  }

  async #hear(message: ToWorker, serve: (order: Order) => void): Promise<void> {
    switch (message.kind) {
      case 'serve':
        serve(message)
        break
      case 'used':
        for (const used of message.used) this.#limits?.count(used)
        break
      case 'figures':
        this.#onFigures(message.text)
        break
      case 'report':
        await this.tell({ kind: 'report', figures: (await this.#own?.getMetricsAsJSON()) ?? [] })
    }
  }

  #note([name, key, times]: Used): void {
    const id = `${name} ${key}`
    const noted = this.#used.get(id)
    if (noted || this.#used.size < MAX_TOLD) this.#used.set(id, [name, key, times + (noted?.[2] ?? 0)])
    this.#teller.ask()
  }

  #tellUsed(): Promise<void> {
    const used = [...this.#used.values()]
    this.#used.clear()
    return this.tell({ kind: 'used', used })
  }

  async #requestFigures(): Promise<string> {
    const answer = new Promise<string>((resolve, reject) => {
      const late = () => reject(new Problem('unavailable', { retryAfter: 1 }))
      const timer = setTimeout(late, FIGURES_TIMEOUT_MS)
      this.#onFigures = text => {
        clearTimeout(timer)
        resolve(text)
      }
    })
    await this.tell({ kind: 'figures' })
    return answer
  }
}
