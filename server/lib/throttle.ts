/**
 * Runs an act at once when it is asked for, and then at most once per interval for as long as it is asked
 * again: leading edge, then ticks. An act under way is never run twice at the same time.
 */
export class Throttle {
  readonly #intervalMs: number
  readonly #act: () => Promise<void>
  #asked = false
  #busy = false
  #closed = false
  #timer: NodeJS.Timeout | undefined

  /** @param act handles its own errors: what it throws is an error of the program */
  constructor(intervalMs: number, act: () => Promise<void>) {
    this.#intervalMs = intervalMs
    this.#act = act
  }

  ask(): void {
    this.#asked = true
    if (!this.#busy) void this.#run()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    if (this.#closed) return
    this.#asked = false
    this.#busy = true
    const startedAt = performance.now()
    await this.#act()
    const rest = Math.max(0, this.#intervalMs - (performance.now() - startedAt))
    this.#timer = setTimeout(() => {
      this.#busy = false
      if (this.#asked) void this.#run()
    }, rest)
  }
}
