import { TAPS_PER_ATTEMPT, TARGET_COUNT, TARGET_MIN_MS, TARGET_STEP_MS } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import type { HttpConnection } from './connection.ts'
import { aim, type Notes, type Seat } from './seat.ts'

/**
 * A player of the specification's own design: its page chooses the target, judges the attempt and INSERTs it, so a round
 * is one call. Nobody knows who it is.
 */
export class InsertingSeat implements Seat {
  readonly #name: string
  readonly #notes: Notes
  #targetMs = 0

  constructor(name: string, notes: Notes) {
    this.#name = name
    this.#notes = notes
  }

  async join(): Promise<void> {}

  async start(): Promise<void> {
    this.#targetMs = TARGET_MIN_MS + this.#notes.random.whole(0, TARGET_COUNT - 1) * TARGET_STEP_MS
  }

  async stop(connection: HttpConnection): Promise<void> {
    const actualMs = aim(this.#targetMs, this.#notes.random)
    const attempt = {
      username: this.#name,
      target_time: toSeconds(this.#targetMs),
      actual_time: toSeconds(actualMs),
      difference: toSeconds(actualMs - this.#targetMs),
      taps_added: TAPS_PER_ATTEMPT,
      claimed: false,
    }
    const { status, body } = await connection.post('/attempts', '', JSON.stringify(attempt))
    if (status !== 201) throw new Error(`An attempt was answered with ${status}: ${body}`)
  }

  async rest(): Promise<void> {}
}
