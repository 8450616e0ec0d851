import { setTimeout as sleep } from 'node:timers/promises'
import type { ProblemBody } from '../../contract/api.ts'
import { type Answer, Client, type ClientRequest } from './client.ts'
import { sized } from './size.ts'

/** The longest time for which a call may be refused or lost, in ms. */
export const PATIENCE_MS = 60_000
/** The pause before a call is repeated, shorter than a page's pause. */
const RESEND_MS = sized(300, 100)

/** A client that repeats each call until it is served, like the page. Calls may go to different nodes. */
export class PatientClient extends Client {
  readonly #chooseUrl: () => string

  /** @param chooseUrl - Returns the server's address for the next call. */
  constructor(chooseUrl: () => string) {
    super(chooseUrl())
    this.#chooseUrl = chooseUrl
  }

  /** @throws Error when a 503 has no Retry-After, or when the call is not served in time */
  override async send<Body>(path: string, request: ClientRequest = {}): Promise<Answer<Body>> {
    const deadline = performance.now() + PATIENCE_MS
    while (performance.now() < deadline) {
      const answer = await this.#try<Body>(path, request)
      if (answer && answer.status !== 503) return answer
      if (answer && !answer.headers.has('retry-after')) throw new Error(`${path} answered 503 without a wait`)
      await sleep(RESEND_MS)
    }
    throw new Error(`${path} was not served within ${PATIENCE_MS} ms`)
  }

  /** Receives the status of every answer, or `lost`. */
  protected count(_status: number | 'lost', _tookMs: number): void {}

  async #try<Body>(path: string, request: ClientRequest): Promise<Answer<Body> | null> {
    this.url = this.#chooseUrl()
    const began = performance.now()
    try {
      const answer = await super.send<Body>(path, request)
      // Only a refusal with a code is the server's own; a proxy may answer for an unavailable server.
      const isLost = answer.status >= 500 && !(answer.body as Partial<ProblemBody> | null)?.code
      this.count(isLost ? 'lost' : answer.status, performance.now() - began)
      return isLost ? null : answer
    } catch (error) {
      // fetch throws a TypeError when the connection breaks; a truncated body is not JSON.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
      this.count('lost', performance.now() - began)
      return null
    }
  }
}
