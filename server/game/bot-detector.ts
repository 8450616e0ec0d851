import type { Database } from '../database/pool.ts'
import type { PlayerId } from '../identity/player.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { latestSeries, raiseFlags } from './flags.ts'
import { deviationMs, isTooSteady, STEADINESS_WINDOW } from './steadiness.ts'

const INTERVAL_MS = 1_000
/** Players per look: 50 windows of 40 attempts cost 2 ms of this process and at most 8 ms of the database. */
const LOOK_SIZE = 50
/** Twenty seconds of work. Who finds no room is looked at after another win. */
const MAX_WAITING = 1_000

/** A recorded win: by whom, with which of their attempts. */
export interface Win {
  readonly player: PlayerId
  readonly round: number
}

/**
 * Looks at players who have just won, off the path of any request, and flags those too steady to be people. Only
 * a win is worth a flag. A look that fails is not made up for: the next win asks again.
 */
export class BotDetector {
  readonly #database: Database
  readonly #log: Logger
  readonly #onFlagged: (players: number) => void
  readonly #waiting = new Set<PlayerId>()
  readonly #throttle = new Throttle(INTERVAL_MS, () => this.#look())

  /** @param onFlagged told after the commit how many players were flagged */
  constructor(database: Database, log: Logger, onFlagged: (players: number) => void) {
    this.#database = database
    this.#log = log
    this.#onFlagged = onFlagged
  }

  /** Asks for a look at the winners, some time soon; costs the caller nothing. */
  watch(wins: readonly Win[]): void {
    for (const { player, round } of wins) {
      if (round >= STEADINESS_WINDOW && this.#waiting.size < MAX_WAITING) this.#waiting.add(player)
    }
    if (this.#waiting.size > 0) this.#throttle.ask()
  }

  close(): void {
    this.#throttle.close()
  }

  async #look(): Promise<void> {
    const players = [...this.#waiting].slice(0, LOOK_SIZE)
    for (const player of players) this.#waiting.delete(player)
    if (this.#waiting.size > 0) this.#throttle.ask()
    try {
      const series = await latestSeries(this.#database, players)
      const findings = series
        .filter(({ differencesMs }) => isTooSteady(differencesMs))
        .map(({ player, differencesMs }) => ({ player, deviationMs: deviationMs(differencesMs) }))
      if (findings.length === 0) return
      await raiseFlags(this.#database, findings)
      this.#log.info({ players: findings.length }, 'players too steady to be people were flagged')
      this.#onFlagged(findings.length)
    } catch (error) {
      this.#log.warn({ err: error }, 'winners could not be looked at; their next win asks again')
    }
  }
}
