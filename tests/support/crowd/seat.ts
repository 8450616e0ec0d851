import { setTimeout as sleep } from 'node:timers/promises'
import type { Claimed, Prize } from '../../../contract/api.ts'
import { WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import { toMs } from '../../../contract/time.ts'
import type { Answer, ClientRequest } from '../client.ts'
import { PatientClient } from '../patient-client.ts'
import type { Crowd } from './crowd.ts'

const PASSWORD = 'a long enough password'

/** The probability of each action. Sign-ups are rare, because each sign-up costs 45 ms of a core. */
const CLAIMS = 0.05
const SIGN_UPS = 0.02
const LOGOUTS = 0.02

/** A player of the crowd, who counts their own TAPS and throws when an answer contradicts the count. */
export class Seat extends PatientClient {
  readonly #crowd: Crowd
  readonly #number: number
  readonly #name: string
  #account: string | null = null
  #accounts = 0
  /** TAPS won and not claimed yet, according to the answers. */
  #held = 0
  #balance = 0

  constructor(crowd: Crowd, number: number) {
    super(crowd.url)
    this.#crowd = crowd
    this.#number = number
    // Puts words between the numbers, because names that differ only in spaces are the same.
    this.#name = `Crowd ${crowd.number} seat ${number}`
  }

  /** Plays until the crowd leaves. */
  async stay(): Promise<void> {
    const { pauseMs, players, random } = this.#crowd
    // Spreads the players' calls evenly over the pause.
    await sleep((pauseMs * this.#number) / players)
    while (!this.#crowd.leaving) {
      await this.#act(random.next())
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }

  override async send<Body>(path: string, request?: ClientRequest): Promise<Answer<Body>> {
    const answer = await super.send<Body>(path, request)
    this.#check(answer.status < 300, `${path} ${JSON.stringify(request?.json)} was refused:`, answer.body)
    return answer
  }

  protected override count(status: number | 'lost', tookMs: number): void {
    this.#crowd.count(status, tookMs)
  }

  #act(chance: number): Promise<void> {
    if (!this.#account) return this.#held > 0 && chance < SIGN_UPS ? this.#signUp() : this.#attempt()
    if (this.#held > 0 && chance < CLAIMS) return this.#claim()
    return this.#held === 0 && chance < LOGOUTS ? this.#logOut() : this.#attempt()
  }

  async #attempt(): Promise<void> {
    const differenceMs = this.#aim()
    const { body, status } = await this.play(differenceMs, this.#name)
    const { attempt, verified, prize } = body
    this.#check(toMs(attempt.difference) === differenceMs, `${differenceMs} ms was recorded as`, attempt)
    this.#check(verified, 'the attempt is not verified:', body)
    this.#held += attempt.won_taps ?? 0
    this.#checkHeld(prize, status)
    this.#crowd.acknowledge(this.#number, attempt)
  }

  /** Chooses when to stop. Spreads wins over the tolerance. */
  #aim(): number {
    const { random, wins } = this.#crowd
    return random.next() < wins
      ? random.whole(-WIN_TOLERANCE_MS, WIN_TOLERANCE_MS)
      : random.whole(WIN_TOLERANCE_MS + 50, 900)
  }

  async #signUp(): Promise<void> {
    const username = `${this.#name} turn ${this.#accounts++}`
    const { body } = await this.createAccount(username, PASSWORD)
    this.#check(body.user.username === username, 'signed in to another account', body)
    this.#checkHeld(body.prize, 'sign-up')
    this.#account = username
    this.#crowd.credited.set(username, 0)
  }

  /** Checks the balance instead of the TAPS claimed, because a repeated claim may claim no TAPS. */
  async #claim(): Promise<void> {
    const { body } = await this.post<Claimed>('/api/claim')
    this.#balance += this.#held
    this.#held = 0
    const { username, taps_balance } = body.user
    this.#check(taps_balance === this.#balance, `expected a balance of ${this.#balance}, received`, body)
    this.#crowd.credited.set(username, this.#balance)
  }

  async #logOut(): Promise<void> {
    await this.post('/api/logout')
    this.#account = null
    this.#balance = 0
  }

  /** Checks that an answer's prize is exactly the TAPS won and not claimed. */
  #checkHeld(prize: Prize | null, when: number | string): void {
    this.#check(
      (prize?.taps ?? 0) === this.#held,
      `after ${when} the prize must be ${this.#held} TAPS, not`,
      prize,
    )
  }

  #check(holds: boolean, message: string, received: unknown): void {
    if (!holds)
      throw new Error(`Seat ${this.#number} (${this.#account}): ${message} ${JSON.stringify(received)}`)
  }
}
