import type { Recorded, Round, Session, Start } from '../../contract/api.ts'
import { toMs, toSeconds } from '../../contract/time.ts'
import type { Acknowledged } from '../../tests/support/audit.ts'
import type { Random } from '../../tests/support/random.ts'
import { type Answer, HttpConnection } from './connection.ts'

/** The standard deviation of people's stops on a hidden clock, as a share of the target time. */
const SPREAD = 0.1

/** A guest who sends the same requests as the page. */
export class LoadPlayer {
  readonly #connection: HttpConnection
  readonly #name: string
  #cookie = ''
  #round: Round = { token: '', target_time: 0 }
  #start = ''

  private constructor(connection: HttpConnection, name: string) {
    this.#connection = connection
    this.#name = name
  }

  static async join(url: string, name: string): Promise<LoadPlayer> {
    const player = new LoadPlayer(await HttpConnection.open(url), name)
    const answer = await player.#connection.get('/api/session', '')
    player.#round = read<Session>(answer, 200).round
    const cookies = answer.head.matchAll(/^set-cookie: ([^;]+)/gim)
    player.#cookie = Array.from(cookies, ([, cookie]) => cookie).join('; ')
    return player
  }

  async start(): Promise<void> {
    this.#start = read<Start>(await this.#post('/api/rounds', { round: this.#round.token }), 201).start
  }

  async stop(random: Random): Promise<Acknowledged> {
    const { target_time } = this.#round
    const targetMs = toMs(target_time)
    const actual_time = toSeconds(Math.max(1, Math.round(random.normal(targetMs, SPREAD * targetMs))))
    const submission = { start: this.#start, username: this.#name, actual_time }
    const { attempt, round } = read<Recorded>(await this.#post('/api/attempts', submission), 201)
    this.#round = round
    return { id: attempt.id, targetTime: target_time, actualTime: actual_time, wonTaps: attempt.won_taps }
  }

  #post(path: string, body: object): Promise<Answer> {
    return this.#connection.post(path, this.#cookie, JSON.stringify(body))
  }
}

function read<Body>({ status, body }: Answer, expected: number): Body {
  if (status !== expected) throw new Error(`Expected status ${expected}, received ${status}: ${body}`)
  return JSON.parse(body)
}
