import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client, type ClientRequest } from '../../tests/support/client.ts'

/** A browser at an address of its own, which a trusted proxy passes on. */
export class Visitor extends Client {
  readonly address: string

  constructor(url: string, address: string) {
    super(url)
    this.address = address
  }

  override send<Body>(path: string, request: ClientRequest = {}): Promise<Answer<Body>> {
    const headers = { 'x-forwarded-for': this.address, ...request.headers }
    return super.send<Body>(path, { ...request, headers })
  }
}

/** Counts answers by status. */
export class Statuses {
  readonly counts: Record<number, number> = {}

  add({ status }: Answer<unknown>): void {
    this.counts[status] = (this.counts[status] ?? 0) + 1
  }
}

const TICK_MS = 10
/** Few enough that the client itself is not the bottleneck. */
const AT_ONCE = 64

/** Sends requests without end, whatever is answered. */
export class Attacker {
  readonly statuses = new Statuses()
  readonly #send: (n: number) => Promise<Answer<unknown>>
  #sent = 0
  #over = false
  #going: Promise<void> = Promise.resolve()

  /** @param send sends the n-th request */
  constructor(send: (n: number) => Promise<Answer<unknown>>) {
    this.#send = send
  }

  /** Sends at this rate until `end`, or more slowly when answers take longer: requests must not pile up. */
  goOn(perSecond: number): void {
    this.#going = this.#keepSending(perSecond)
  }

  async end(): Promise<void> {
    this.#over = true
    await this.#going
  }

  async #keepSending(perSecond: number): Promise<void> {
    const began = performance.now()
    const pending = new Set<Promise<unknown>>()
    let asked = 0
    while (!this.#over) {
      const due = ((performance.now() - began) / 1_000) * perSecond
      for (; asked < due && pending.size < AT_ONCE; asked += 1) {
        const one = this.#one().finally(() => pending.delete(one))
        pending.add(one)
      }
      await sleep(TICK_MS)
    }
    await Promise.all(pending)
  }

  async #one(): Promise<void> {
    const answer = await this.#send(this.#sent++).catch(givenUp)
    if (answer) this.statuses.add(answer)
  }
}

/** Ignores the client's timeout: on a busy machine an attacker's passwords may wait longer than that to be hashed. */
function givenUp(error: unknown): null {
  if (error instanceof DOMException && error.name === 'TimeoutError') return null
  throw error
}
