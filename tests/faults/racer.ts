import type { Recorded, Round } from '../../contract/api.ts'
import { WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { Client } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import { Wire } from './wire.ts'

/** Someone with a connection of their own, ready to win at the same instant as the others. */
export class Racer {
  readonly #browser: Client
  readonly #wire: Wire
  readonly #random: Random
  #round: Round

  private constructor(browser: Client, wire: Wire, random: Random, round: Round) {
    this.#browser = browser
    this.#wire = wire
    this.#random = random
    this.#round = round
  }

  /** @param account the name of an account to play under; without one, a guest plays */
  static async open(url: string, random: Random, account?: string): Promise<Racer> {
    const browser = new Client(url)
    let { round } = await browser.session()
    if (account) {
      const { status, body } = await browser.createAccount(account, 'a long enough password')
      if (status !== 201) throw new Error(`No account: ${status}`)
      round = body.round
    }
    return new Racer(browser, await Wire.open(url), random, round)
  }

  /** Starts the round and has a winning attempt ready, all but its last byte. */
  async prepare(): Promise<void> {
    const start = await this.#browser.start(this.#round)
    const differenceMs = this.#random.whole(-WIN_TOLERANCE_MS, WIN_TOLERANCE_MS)
    const actual_time = (Math.round(this.#round.target_time * 1_000) + differenceMs) / 1_000
    const cookie = Array.from(this.#browser.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    this.#wire.prepare('/api/attempts', cookie, { start, username: 'Racer', actual_time })
  }

  release(): void {
    this.#wire.release()
  }

  /** @throws Error unless the attempt was recorded just now */
  async finish(): Promise<Recorded> {
    const { status, body } = await this.#wire.answer()
    if (status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
    const recorded = body as Recorded
    this.#round = recorded.round
    return recorded
  }

  /** Loses a round, which leaves a TAPS in the pool. */
  async lose(): Promise<void> {
    const { status, body } = await this.#browser.play(this.#round, this.#random.whole(150, 900))
    if (status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
    this.#round = body.round
  }

  async claim(): Promise<void> {
    const { status } = await this.#browser.post('/api/claim')
    if (status !== 200) throw new Error(`The claim was answered ${status}`)
  }

  close(): void {
    this.#wire.close()
  }
}
