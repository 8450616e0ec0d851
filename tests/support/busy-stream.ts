import type { Round } from '../../contract/api.ts'
import { Client } from './client.ts'

/** Far off the target: nobody wins, so nobody is checked for steadiness. */
const MISS_MS = 1_500

/** Other players, who record attempts through the API at a steady rate. */
export class Crowd {
  readonly #timer: ReturnType<typeof setInterval>
  readonly #failures: unknown[] = []
  #underWay: Promise<unknown> = Promise.resolve()

  private constructor(players: readonly Member[], perSecond: number) {
    let turn = 0
    this.#timer = setInterval(() => {
      const player = players[turn % players.length]
      turn += 1
      const played = player?.play().catch((error: unknown) => this.#failures.push(error))
      this.#underWay = Promise.all([this.#underWay, played])
    }, 1_000 / perSecond)
  }

  /** As many players as attempts a second, so that each has a second for its attempt. */
  static async gather(url: string, perSecond: number): Promise<Crowd> {
    const players = await Promise.all(Array.from({ length: perSecond }, () => Member.join(url)))
    return new Crowd(players, perSecond)
  }

  /** @throws Error when an attempt was not recorded: the stream was less busy than promised */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    await this.#underWay
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, 'The crowd could not play')
  }
}

class Member {
  readonly #client: Client
  #round: Round
  /** One after the other: each answer brings the next round. */
  #playing: Promise<void> = Promise.resolve()

  private constructor(client: Client, round: Round) {
    this.#client = client
    this.#round = round
  }

  static async join(url: string): Promise<Member> {
    const client = new Client(url)
    return new Member(client, (await client.session()).round)
  }

  play(): Promise<void> {
    this.#playing = this.#playing.then(async () => {
      const { status, body } = await this.#client.play(this.#round, MISS_MS)
      if (status !== 201) throw new Error(`An attempt was answered with ${status}`)
      this.#round = body.round
    })
    return this.#playing
  }
}
