import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { StartError } from '../lib/start-error.ts'
import type { Logger } from '../log.ts'
import { isOurs, type ToPrimary, type ToWorker } from './messages.ts'

/** The pauses before a worker is replaced: doubling while each dies young, bounded, so that play resumes soon. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** Who has served this long did not die of its start. */
const STEADY_MS = 30_000
/** What a worker has to finish what is in flight; the rest of the ten seconds is the database's. */
const CLOSE_MS = 6_000
/** Messages on their way to a worker; one that takes none gets no more. */
const MAX_UNSENT = 20
/** Who has not reported by then hangs, and is left out. */
const REPORT_TIMEOUT_MS = 2_000

/** Where a worker serves. */
export type Serving = Extract<ToPrimary, { kind: 'serving' }>

/** What a worker says for the others. */
export type Word = Extract<ToPrimary, { kind: 'used' | 'figures' }>

/** A place for one worker, which is replaced whenever it ends, until the place is closed. */
export class Seat {
  readonly #order: ToWorker
  readonly #hear: (word: Word, from: Seat) => void
  readonly #log: Logger
  #worker: Worker | null = null
  #bornAt = 0
  #unsent = 0
  #serves = false
  #onReport: (figures: object[] | null) => void = () => undefined
  #pauseMs = FIRST_PAUSE_MS
  #timer: NodeJS.Timeout | undefined
  #closed = false

  /**
   * @param order what every new worker is told
   * @param hear told what the workers say
   */
  constructor(order: ToWorker, hear: (word: Word, from: Seat) => void, log: Logger) {
    this.#order = order
    this.#hear = hear
    this.#log = log
  }

  /**
   * Starts a worker.
   *
   * @throws StartError when it ends before it serves
   */
  fill(): Promise<Serving> {
    const worker = cluster.fork()
    this.#worker = worker
    this.#bornAt = performance.now()
    this.#unsent = 0
    return new Promise<Serving>((resolve, reject) => {
      const ended = (how: string) => {
        reject(new StartError(`A worker ended while it was starting (${how})`))
        this.#lost(worker, how)
      }
      worker.on('message', (message: unknown) => {
        if (isOurs(message)) this.#take(message as ToPrimary, resolve, reject)
      })
      worker.on('exit', (code, signal) => ended(signal ?? `code ${code}`))
      // One that could not even be started has no exit.
      worker.on('error', error => worker.process.pid === undefined && ended(error.message))
    })
  }

  /** The figures of the worker, or null when it does not serve or does not answer. */
  report(): Promise<object[] | null> {
    if (!this.#serves) return Promise.resolve(null)
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(null), REPORT_TIMEOUT_MS)
      this.#onReport = figures => {
        clearTimeout(timer)
        resolve(figures)
      }
      this.send({ kind: 'report' })
    })
  }

  send(message: ToWorker): void {
    const worker = this.#worker
    if (!worker?.isConnected() || this.#unsent >= MAX_UNSENT) return
    this.#unsent += 1
    worker.send(message, undefined, () => {
      if (this.#worker === worker) this.#unsent -= 1
    })
  }

  /** Lets the worker finish, and ends it by force when it does not. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const worker = this.#worker
    if (!worker) return
    const gone = once(worker, 'exit')
    worker.process.kill('SIGTERM')
    const force = setTimeout(() => worker.process.kill('SIGKILL'), CLOSE_MS)
    await gone
    clearTimeout(force)
  }

  #take(word: ToPrimary, resolve: (serving: Serving) => void, reject: (error: Error) => void): void {
    switch (word.kind) {
      case 'ready':
        this.send(this.#order)
        break
      case 'serving':
        this.#serves = true
        resolve(word)
        break
      case 'failed':
        reject(new StartError(word.message))
        break
      case 'report':
        this.#onReport(word.figures)
        break
      default:
        this.#hear(word, this)
    }
  }

  #lost(worker: Worker, how: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#serves = false
    this.#onReport(null)
    if (this.#closed) return
    const pauseMs = performance.now() - this.#bornAt < STEADY_MS ? this.#pauseMs : FIRST_PAUSE_MS
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    this.#log.warn(
      { worker: worker.process.pid, how },
      `a worker ended; another one follows in ${pauseMs} ms`,
    )
    this.#timer = setTimeout(() => this.#replace(), pauseMs)
  }

  async #replace(): Promise<void> {
    await this.fill().then(
      () => this.#log.info({ worker: this.#worker?.process.pid }, 'the worker was replaced'),
      (error: Error) => this.#log.warn(error.message),
    )
  }
}
