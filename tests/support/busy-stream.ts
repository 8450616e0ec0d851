import { setTimeout as sleep, setInterval as ticks } from 'node:timers/promises'
import { Client } from './client.ts'

/** A difference so large that no player wins or is checked for steadiness. */
const MISS_MS = 1_500

/** Players who record attempts through the API at a steady rate. */
export class Crowd {
  #leaving = false
  #playing: Promise<unknown> = Promise.resolve()

  /** Opens one player for each attempt a second. Each player plays once a second. */
  static async gather(url: string, perSecond: number): Promise<Crowd> {
    const crowd = new Crowd()
    const guests = Array.from({ length: perSecond }, () => new Client(url))
    const rounds = await Promise.all(guests.map(async guest => (await guest.session()).round))
    crowd.#playing = Promise.all(
      guests.map(async (guest, place) => {
        await sleep((place / perSecond) * 1_000)
        let round = rounds[place]
        for await (const _ of ticks(1_000)) {
          if (crowd.#leaving || !round) return
          const { status, body } = await guest.play(round, MISS_MS)
          if (status !== 201) throw new Error(`The server answered an attempt with ${status}`)
          round = body.round
        }
      }),
    )
    // `leave` reports the error.
    crowd.#playing.catch(() => undefined)
    return crowd
  }

  /** @throws Error when an attempt was not recorded, so that the stream was less busy than intended */
  async leave(): Promise<void> {
    this.#leaving = true
    await this.#playing
  }
}
