import { setTimeout as sleep } from 'node:timers/promises'
import { Viewer } from '../../support/viewer.ts'
import type { Doors } from './doors.ts'
import { ENTRIES } from './network.ts'

/** A page waits about as long. */
const REOPEN_MS = 500
const POLL_MS = 50
/** So many events, and a page is loaded anew: what a viewer has seen is kept. */
const PAGE_EVENTS = 2_000

/** Somebody who watches all the time, and opens the stream again whenever it ends. */
class Watcher {
  readonly #doors: Doors
  readonly #entry: string
  readonly #done: Promise<void>
  #viewer: Viewer | undefined
  #closed = false
  streams = 0

  constructor(doors: Doors, entry: string) {
    this.#doors = doors
    this.#entry = entry
    this.#done = this.#watch()
  }

  /** The newest attempt on its screen; 0 while it has none. */
  get newest(): number {
    return this.#viewer?.latest('attempts')?.attempts[0]?.id ?? 0
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#viewer?.close()
    await this.#done
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      const holder = this.#doors.holder(this.#entry)
      const viewer = await Viewer.open(`https://${this.#entry}`).catch(() => null)
      this.streams += 1
      this.#viewer = viewer ?? undefined
      let ended = viewer === null || viewer.response.status !== 200
      void viewer?.ended.then(() => {
        ended = true
      })
      // A machine that is gone says nothing: a browser asks its system for the connection after 45 s, we do at once.
      while (!ended && !this.#closed && this.#doors.holder(this.#entry) === holder) {
        if ((viewer?.events.length ?? 0) > PAGE_EVENTS) break
        await sleep(POLL_MS)
      }
      await viewer?.close()
      if (!this.#closed) await sleep(REOPEN_MS)
    }
  }
}

/** Several who watch through each of the doors. */
export class Watchers {
  readonly #watchers: readonly Watcher[]

  constructor(doors: Doors, ofEach: number) {
    this.#watchers = ENTRIES.flatMap(entry => Array.from({ length: ofEach }, () => new Watcher(doors, entry)))
  }

  /**
   * Waits until everybody sees this attempt or a newer one.
   *
   * @returns how many still see an older one after this time
   */
  async stale(attempt: number, withinMs: number): Promise<number> {
    const deadline = performance.now() + withinMs
    for (;;) {
      const late = this.#watchers.filter(({ newest }) => newest < attempt)
      if (late.length === 0 || performance.now() > deadline) return late.length
      await sleep(POLL_MS)
    }
  }

  /** How many streams were opened. */
  get streams(): number {
    return this.#watchers.reduce((sum, { streams }) => sum + streams, 0)
  }

  async close(): Promise<void> {
    await Promise.all(this.#watchers.map(watcher => watcher.close()))
  }
}
