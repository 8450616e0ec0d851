/** Runs `act` on request, at most once per interval, never overlapping. */
export class Throttle {
  readonly #intervalMs: number
  readonly #act: () => Promise<void>
  #asked = false
  #busy = false
  #closed = false
  #timer: NodeJS.Timeout | undefined
  #running = Promise.resolve()

  /** @param act - The work; must handle its own errors, because rejections end the process. */
  constructor(intervalMs: number, act: () => Promise<void>) {
    this.#intervalMs = intervalMs
    this.#act = act
  }

  ask(): void {
    this.#asked = true
    if (!this.#busy && !this.#closed) this.#running = this.#run()
  }

  /** Stops; resolves when the run in progress has ended. */
  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    return this.#running
  }

  async #run(): Promise<void> {
    this.#asked = false
    this.#busy = true
    const startedAt = performance.now()
    await this.#act()
    if (this.#closed) return
    const rest = Math.max(0, this.#intervalMs - (performance.now() - startedAt))
    this.#timer = setTimeout(() => {
      this.#busy = false
      if (this.#asked) this.ask()
    }, rest)
  }
}
