import { setTimeout as sleep } from 'node:timers/promises'
import { Viewer } from '../../support/viewer.ts'
import { VIRTUAL_IPS } from './network.ts'
import type { VirtualIps } from './virtual-ips.ts'

/** The pause before a viewer reconnects, about as long as a page's pause. */
const REOPEN_MS = 500
const POLL_MS = 50
/** The number of events after which a viewer reconnects, because viewers keep all events of a stream. */
const MAX_EVENTS = 2_000

/** A viewer that reopens the live stream whenever the stream ends. */
class ReconnectingViewer {
  readonly #virtualIps: VirtualIps
  readonly #ip: string
  readonly #done: Promise<void>
  #viewer: Viewer | undefined
  #closed = false
  streams = 0

  constructor(virtualIps: VirtualIps, ip: string) {
    this.#virtualIps = virtualIps
    this.#ip = ip
    this.#done = this.#watch()
  }

  /** The id of the newest attempt seen; 0 before the first. */
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
      const holder = this.#virtualIps.holder(this.#ip)
      const viewer = await Viewer.open(`https://${this.#ip}`).catch(() => null)
      this.streams += 1
      this.#viewer = viewer ?? undefined
      let ended = viewer === null || viewer.response.status !== 200
      void viewer?.ended.then(() => {
        ended = true
      })
      // A lost machine closes no connection. This viewer notices when the address moves; browsers need 45 s.
      while (!ended && !this.#closed && this.#virtualIps.holder(this.#ip) === holder) {
        if ((viewer?.events.length ?? 0) > MAX_EVENTS) break
        await sleep(POLL_MS)
      }
      await viewer?.close()
      if (!this.#closed) await sleep(REOPEN_MS)
    }
  }
}

/** Several viewers at each public address. */
export class Viewers {
  readonly #viewers: readonly ReconnectingViewer[]

  constructor(virtualIps: VirtualIps, ofEach: number) {
    this.#viewers = VIRTUAL_IPS.flatMap(ip =>
      Array.from({ length: ofEach }, () => new ReconnectingViewer(virtualIps, ip)),
    )
  }

  /**
   * Waits until every viewer sees this attempt or a newer one.
   *
   * @returns the number of viewers that still see an older attempt after `withinMs`
   */
  async stale(attempt: number, withinMs: number): Promise<number> {
    const deadline = performance.now() + withinMs
    for (;;) {
      const late = this.#viewers.filter(({ newest }) => newest < attempt)
      if (late.length === 0 || performance.now() > deadline) return late.length
      await sleep(POLL_MS)
    }
  }

  get streams(): number {
    return this.#viewers.reduce((sum, { streams }) => sum + streams, 0)
  }

  async close(): Promise<void> {
    await Promise.all(this.#viewers.map(viewer => viewer.close()))
  }
}
