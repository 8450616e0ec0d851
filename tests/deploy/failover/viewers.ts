import { setTimeout as sleep } from 'node:timers/promises'
import { Viewer } from '../../support/viewer.ts'
import { VIRTUAL_IPS } from './network.ts'
import type { VirtualIps } from './virtual-ips.ts'

/** The pause before a viewer reconnects, about as long as a page's pause. */
const REOPEN_MS = 500
const POLL_MS = 50
/** The number of events after which a viewer reconnects, because viewers keep all events of a stream. */
const MAX_EVENTS = 2_000

/** Several viewers at each public address, each of which reopens its live stream whenever the stream ends. */
export class Viewers {
  readonly #virtualIps: VirtualIps
  readonly #viewers: (Viewer | null)[]
  readonly #done: Promise<unknown>
  #closed = false

  constructor(virtualIps: VirtualIps, ofEach: number) {
    this.#virtualIps = virtualIps
    const ips = VIRTUAL_IPS.flatMap(ip => Array<string>(ofEach).fill(ip))
    this.#viewers = ips.map(() => null)
    this.#done = Promise.all(ips.map((ip, seat) => this.#watch(ip, seat)))
  }

  /**
   * Waits until every viewer sees this attempt or a newer one.
   *
   * @returns the number of viewers that still see an older attempt after `withinMs`
   */
  async stale(attempt: number, withinMs: number): Promise<number> {
    const deadline = performance.now() + withinMs
    const isLate = (viewer: Viewer | null) => (viewer?.latest('attempts')?.attempts[0]?.id ?? 0) < attempt
    while (this.#viewers.some(isLate) && performance.now() < deadline) await sleep(POLL_MS)
    return this.#viewers.filter(isLate).length
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#done
  }

  async #watch(ip: string, seat: number): Promise<void> {
    while (!this.#closed) {
      await this.#view(ip, seat)
      if (!this.#closed) await sleep(REOPEN_MS)
    }
  }

  /** Opens a stream, and reads it to its end. */
  async #view(ip: string, seat: number): Promise<void> {
    const holder = this.#virtualIps.holder(ip)
    const viewer = await Viewer.open(`https://${ip}`).catch(() => null)
    this.#viewers[seat] = viewer
    if (!viewer) return
    let ended = viewer.response.status !== 200
    void viewer.ended.then(() => {
      ended = true
    })
    // A lost machine closes no connection. This viewer notices when the address moves; browsers need 45 s.
    const isHeld = () => this.#virtualIps.holder(ip) === holder
    while (!ended && !this.#closed && isHeld() && viewer.events.length <= MAX_EVENTS) await sleep(POLL_MS)
    await viewer.close()
  }
}
