import type { HttpConnection } from './connection.ts'
import type { Seat } from './seat.ts'

/** A kept connection and the players who share it, one after the other. */
export class Desk {
  readonly connection: HttpConnection
  readonly #seats: readonly [Seat, ...Seat[]]
  #turn = 0

  constructor(connection: HttpConnection, seats: readonly [Seat, ...Seat[]]) {
    this.connection = connection
    this.#seats = seats
  }

  get seats(): readonly Seat[] {
    return this.#seats
  }

  nextSeat(): Seat {
    this.#turn = (this.#turn + 1) % this.#seats.length
    return this.#seats[this.#turn] ?? this.#seats[0]
  }
}

/** The desks nobody plays at; who finds none waits for one, first come first served. */
export class FreeDesks {
  readonly #free: Desk[]
  readonly #waiting: ((desk: Desk) => void)[] = []

  constructor(desks: readonly Desk[]) {
    this.#free = [...desks]
  }

  /** The one that has been free for the longest: a connection that nobody uses is closed by the server. */
  async take(): Promise<Desk> {
    return this.#free.shift() ?? new Promise(resolve => this.#waiting.push(resolve))
  }

  give(desk: Desk): void {
    const next = this.#waiting.shift()
    if (next) next(desk)
    else this.#free.push(desk)
  }
}
