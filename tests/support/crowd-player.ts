import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Attempt,
  Claimed,
  Prize,
  Recorded,
  Round,
  Session,
  SignedIn,
  Start,
} from '../../contract/api.ts'
import { WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { type Answer, Client } from './client.ts'
import type { Crowd } from './crowd.ts'
import { sized } from './size.ts'

/** The pause before a call is repeated, shorter than a page's pause. */
const RESEND_MS = sized(300, 100)
const PASSWORD = 'a long enough password'

/** The probability of each action. Sign-ups are rare, because each sign-up costs 45 ms of a core. */
const CLAIMS = 0.05
const SIGN_UPS = 0.02
const LOGOUTS = 0.02

/** A player of the crowd, who counts their own TAPS and throws when an answer contradicts the count. */
export class Player {
  readonly #crowd: Crowd
  readonly #seat: number
  #browser: Client
  #round: Round | null = null
  #account: string | null = null
  #accounts = 0
  /** TAPS won and not claimed yet, according to the answers. */
  #held = 0
  #balance = 0

  constructor(crowd: Crowd, seat: number) {
    this.#crowd = crowd
    this.#seat = seat
    this.#browser = new Client(crowd.url())
  }

  async play(): Promise<void> {
    const { pauseMs, players } = this.#crowd
    // Spreads the players' calls evenly over the pause.
    await sleep((pauseMs * this.#seat) / players)
    while (!this.#crowd.leaving) {
      await this.#act(this.#crowd.random.next())
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }

  #act(chance: number): Promise<void> {
    if (!this.#account) return this.#held > 0 && chance < SIGN_UPS ? this.#signUp() : this.#attempt()
    if (this.#held > 0 && chance < CLAIMS) return this.#claim()
    return this.#held === 0 && chance < LOGOUTS ? this.#logOut() : this.#attempt()
  }

  async #attempt(): Promise<void> {
    const round = this.#round ?? (await this.#ask<Session>('GET', '/api/session')).body.round
    const { start } = (await this.#ask<Start>('POST', '/api/rounds', { round: round.token })).body
    const actual_time = this.#stop(round.target_time)
    const submission = { start, username: `Player ${this.#seat}`, actual_time }
    const { body, status } = await this.#ask<Recorded>('POST', '/api/attempts', submission)
    this.#check(body.attempt.actual_time === actual_time, `${actual_time} s was recorded as`, body.attempt)
    this.#check(body.verified, 'the attempt is not verified:', body)
    this.#held += body.attempt.won_taps ?? 0
    this.#checkHeld(body.prize, status)
    this.#round = body.round
    this.#crowd.acknowledge(this.#seat, toAcknowledged(body.attempt))
  }

  /** Chooses when to stop. Spreads wins over the tolerance. */
  #stop(targetTime: number): number {
    const { random, wins: share } = this.#crowd
    const wins = random.next() < share
    const differenceMs = wins
      ? random.whole(-WIN_TOLERANCE_MS, WIN_TOLERANCE_MS)
      : random.whole(WIN_TOLERANCE_MS + 50, 900)
    return (Math.round(targetTime * 1_000) + differenceMs) / 1_000
  }

  async #signUp(): Promise<void> {
    // Puts words between the numbers, because names that differ only in spaces are the same.
    const username = `Crowd ${this.#crowd.number} seat ${this.#seat} turn ${this.#accounts++}`
    const { body } = await this.#ask<SignedIn>('POST', '/api/users', { username, password: PASSWORD })
    this.#check(body.user.username === username, 'signed in to another account', body)
    this.#checkHeld(body.prize, 'sign-up')
    this.#account = username
    this.#round = body.round
    this.#crowd.credited.set(username, { username, balance: 0 })
    this.#crowd.signUps += 1
  }

  /** Checks the balance instead of the TAPS claimed, because a repeated claim may claim no TAPS. */
  async #claim(): Promise<void> {
    const { body } = await this.#ask<Claimed>('POST', '/api/claim')
    this.#balance += this.#held
    this.#held = 0
    this.#check(
      body.user.taps_balance === this.#balance,
      `expected a balance of ${this.#balance}, received`,
      body,
    )
    this.#crowd.credited.set(body.user.username, { username: body.user.username, balance: this.#balance })
    this.#crowd.claims += 1
  }

  async #logOut(): Promise<void> {
    await this.#ask('POST', '/api/logout')
    this.#account = null
    this.#balance = 0
    this.#round = null
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
      throw new Error(`Seat ${this.#seat} (${this.#account}): ${message} ${JSON.stringify(received)}`)
  }

  /** Repeats a call until it is served. The only allowed refusal is 503 with a Retry-After. */
  async #ask<Body>(method: 'GET' | 'POST', path: string, json?: unknown): Promise<Answer<Body>> {
    const deadline = performance.now() + this.#crowd.patienceMs
    while (performance.now() < deadline) {
      const answer = await this.#try<Body>(method, path, json)
      if (answer && answer.status < 300) return answer
      if (answer) {
        const polite = answer.status === 503 && answer.headers.has('retry-after')
        this.#check(polite, `${path} ${JSON.stringify(json)} answered ${answer.status}`, answer.body)
      }
      await sleep(RESEND_MS)
    }
    throw new Error(`${path} was not served within ${this.#crowd.patienceMs} ms`)
  }

  async #try<Body>(method: 'GET' | 'POST', path: string, json?: unknown): Promise<Answer<Body> | null> {
    const url = this.#crowd.url()
    if (this.#browser.url !== url) this.#browser = this.#browser.copy(url)
    const began = performance.now()
    try {
      const answer = await this.#browser.send<Body>(path, { method, json })
      this.#crowd.count(answer.status, performance.now() - began)
      return answer
    } catch (error) {
      // fetch throws a TypeError when the connection breaks; a truncated body is not JSON.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
      this.#crowd.count('lost', performance.now() - began)
      return null
    }
  }
}

function toAcknowledged({ id, target_time, actual_time, won_taps }: Attempt) {
  return { id, targetTime: target_time, actualTime: actual_time, wonTaps: won_taps }
}
