import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client, type ClientRequest } from '../../support/client.ts'

/** A browser at an address of its own, behind a proxy that says so. */
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

/** How often each status was answered. */
export class Statuses {
  readonly counts: Record<number, number> = {}

  add({ status }: Answer<unknown>): void {
    this.counts[status] = (this.counts[status] ?? 0) + 1
  }

  toString(): string {
    return JSON.stringify(this.counts)
  }
}

const TICK_MS = 10
/** Few enough that the client's own connections are not what is measured. */
const AT_ONCE = 64

/** Somebody who sends and sends, whatever is answered. */
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

  /** Sends so many as fast as they are answered: what a long attack has used up when somebody else comes. */
  async burst(count: number): Promise<void> {
    const end = this.#sent + count
    const sendOn = async () => {
      while (this.#sent < end) await this.#one()
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, sendOn))
  }

  /** Goes on at a rate until `end`, or as fast as it is answered where that is slower: on a busy machine it would only pile up. */
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

/** An attacker's own client, after half a minute: on a busy machine its passwords may wait longer for their turn. */
function givenUp(error: unknown): null {
  if (error instanceof DOMException && error.name === 'TimeoutError') return null
  throw error
}
