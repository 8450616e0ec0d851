import type { Claimed, Prize, Recorded, Round, Session, SignedIn, Start } from '../../contract/api.ts'
import { toMs, toSeconds } from '../../contract/time.ts'
import type { Acknowledged } from '../../tests/support/answers.ts'
import type { Random } from '../../tests/support/random.ts'
import type { Answer, HttpConnection } from './connection.ts'

const PASSWORD = 'a long enough password'

/** How often between two rounds: a page is loaded or shown again. */
const SESSIONS = 0.02
/** A guest with a prize makes an account. It costs 45 ms of a core, so it has to be rare not to be all there is. */
const SIGN_UPS = 0.000_1
/** A signed-in winner claims. */
const CLAIMS = 0.1

/** What the players note down for the audit that follows. */
export interface Notes {
  readonly random: Random
  /** Every attempt that was answered as recorded. */
  readonly acknowledged: Acknowledged[]
}

/** A player: speaks the contract as the page does, keeps the cookies it is given. */
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

  /** What a player does now and then between two rounds. */
  async rest(connection: HttpConnection): Promise<void> {
    const chance = this.#notes.random.next()
    if (chance < SESSIONS) await this.join(connection)
    if (this.#prize === null) return
    if (!this.#signedIn && chance > 1 - SIGN_UPS) await this.signUp(connection)
    if (this.#signedIn && chance > 1 - CLAIMS) await this.#claim(connection)
  }

  /** Makes an account and goes on playing as it. */
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

/** People who stop a hidden clock spread by about a tenth of the time they wait. */
const SPREAD = 0.1

/** When a person stops who aims at a target; ms, at least one. */
function aim(targetMs: number, random: Random): number {
  return Math.max(1, Math.round(random.normal(targetMs, SPREAD * targetMs)))
}
