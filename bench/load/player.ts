import type { Claimed, Prize, Recorded, Round, Session, SignedIn, Start } from '../../contract/api.ts'
import { toMs, toSeconds } from '../../contract/time.ts'
import type { Acknowledged } from '../../tests/support/answers.ts'
import type { Random } from '../../tests/support/random.ts'
import type { Answer, HttpConnection } from './connection.ts'

const PASSWORD = 'a long enough password'

/** How likely a player is to load or show the page again between two rounds. */
const SESSIONS = 0.02
/** How likely a guest with a prize is to sign up: rare, since it costs 45 ms of a core and would outweigh all else. */
const SIGN_UPS = 0.000_1
/** How likely a signed-in winner is to claim. */
const CLAIMS = 0.1

/** What the players note for the audit that follows. */
export interface Notes {
  readonly random: Random
  /** The attempts that the server said it recorded. */
  readonly acknowledged: Acknowledged[]
}

/** A player who speaks the contract as the page does, and keeps cookies. */
export class LoadPlayer {
  readonly #name: string
  readonly #notes: Notes
  readonly #cookies = new Map<string, string>()
  #cookie = ''
  #round: Round = { token: '', target_time: 0 }
  #start = ''
  #prize: Prize | null = null
  #signedIn = false

  constructor(name: string, notes: Notes) {
    this.#name = name
    this.#notes = notes
  }

  async join(connection: HttpConnection): Promise<void> {
    const session = this.#read<Session>(await connection.get('/api/session', this.#cookie), 200)
    this.#signedIn = session.user !== null
    this.#prize = session.prize
    this.#round = session.round
  }

  async start(connection: HttpConnection): Promise<void> {
    const answer = await this.#post(connection, '/api/rounds', { round: this.#round.token })
    this.#start = this.#read<Start>(answer, 201).start
  }

  async stop(connection: HttpConnection): Promise<void> {
    const actual_time = toSeconds(aim(toMs(this.#round.target_time), this.#notes.random))
    const submission = { start: this.#start, username: this.#name, actual_time }
    const answer = await this.#post(connection, '/api/attempts', submission)
    const { attempt, prize, round } = this.#read<Recorded>(answer, 201)
    this.#notes.acknowledged.push({
      id: attempt.id,
      targetTime: this.#round.target_time,
      actualTime: actual_time,
      wonTaps: attempt.won_taps,
    })
    this.#prize = prize
    this.#round = round
  }

  /** Does what a player may do between two rounds. */
  async rest(connection: HttpConnection): Promise<void> {
    const chance = this.#notes.random.next()
    if (chance < SESSIONS) await this.join(connection)
    if (this.#prize === null) return
    if (!this.#signedIn && chance > 1 - SIGN_UPS) await this.signUp(connection)
    if (this.#signedIn && chance > 1 - CLAIMS) await this.#claim(connection)
  }

  /** Signs up and goes on playing as the account. */
  async signUp(connection: HttpConnection): Promise<void> {
    const answer = await this.#post(connection, '/api/users', { username: this.#name, password: PASSWORD })
    const { prize, round } = this.#read<SignedIn>(answer, 201)
    this.#signedIn = true
    this.#prize = prize
    this.#round = round
  }

  async #claim(connection: HttpConnection): Promise<void> {
    const { taps } = this.#read<Claimed>(await this.#post(connection, '/api/claim', {}), 200)
    if (taps !== this.#prize?.taps) throw new Error(`${this.#prize?.taps} TAPS were held, ${taps} claimed`)
    this.#prize = null
  }

  #post(connection: HttpConnection, path: string, body: object): Promise<Answer> {
    return connection.post(path, this.#cookie, JSON.stringify(body))
  }

  #read<Body>({ status, head, body }: Answer, expected: number): Body {
    if (status !== expected) throw new Error(`${expected} was expected, ${status} answered: ${body}`)
    if (head.includes('set-cookie')) this.#keep(head)
    return JSON.parse(body)
  }

  #keep(head: string): void {
    for (const [, name = '', value = '', rest = ''] of head.matchAll(
      /^set-cookie: ([^=]+)=([^;]*)(.*)$/gim,
    )) {
      if (/max-age=0/i.test(rest)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    this.#cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }
}

/** The standard deviation of people who stop a hidden clock: about a tenth of the time. */
const SPREAD = 0.1

/** When a person who aims at a target stops, in ms; at least 1. */
function aim(targetMs: number, random: Random): number {
  return Math.max(1, Math.round(random.normal(targetMs, SPREAD * targetMs)))
}
