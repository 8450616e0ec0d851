import type { HttpConnection } from './connection.ts'
import type { LoadPlayer } from './player.ts'

/** A kept connection and the players who share it, one after the other. */
export class Table {
  readonly connection: HttpConnection
  readonly #players: readonly [LoadPlayer, ...LoadPlayer[]]
  #turn = 0

  constructor(connection: HttpConnection, players: readonly [LoadPlayer, ...LoadPlayer[]]) {
    this.connection = connection
    this.#players = players
  }

  get players(): readonly LoadPlayer[] {
    return this.#players
  }

  nextPlayer(): LoadPlayer {
    this.#turn = (this.#turn + 1) % this.#players.length
    return this.#players[this.#turn] ?? this.#players[0]
  }
}

/** The tables at which nobody plays; when there are none, players wait for one in turn. */
export class FreeTables {
  readonly #free: Table[]
  readonly #waiting: ((table: Table) => void)[] = []

  constructor(tables: readonly Table[]) {
    this.#free = [...tables]
  }

  /** Gives the one that has been free the longest: the server closes connections that nobody uses. */
  async take(): Promise<Table> {
    return this.#free.shift() ?? new Promise(resolve => this.#waiting.push(resolve))
  }

  give(table: Table): void {
    const next = this.#waiting.shift()
    if (next) next(table)
    else this.#free.push(table)
  }
}
