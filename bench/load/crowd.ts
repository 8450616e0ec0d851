import { setTimeout as sleep } from 'node:timers/promises'
import type { Acknowledged } from '../../tests/support/answers.ts'
import { Random } from '../../tests/support/random.ts'
import { Timings, type TimingsSummary } from '../timings.ts'
import { HttpConnection } from './connection.ts'
import { LoadPlayer, type Notes } from './player.ts'
import { FreeTables, Table } from './tables.ts'

/** Fixed, so that every run makes the same choices. */
const SEED = 6
/** From Start to Stop in the open loop. Real rounds take seconds, which would only need more players. */
const HOLD_MS = 20
/** How often the generator looks at its schedule. */
const TICK_MS = 1

/** The result of one run. */
export interface Run {
  /** Rounds that ended with an acknowledged attempt. */
  readonly rounds: number
  readonly seconds: number
  /** The times of all Starts and Stops. */
  readonly calls: TimingsSummary
}

/** Where the crowd plays, and how large it is. */
export interface CrowdOptions {
  readonly url: string
  readonly players: number
  readonly connections: number
}

/** Many players over kept connections. */
export class LoadCrowd {
  readonly #tables: readonly Table[]
  readonly #notes: Notes

  private constructor(tables: readonly Table[], notes: Notes) {
    this.#tables = tables
    this.#notes = notes
  }

  /** Opens the connections and lets every player load the page. */
  static async gather({ url, players, connections }: CrowdOptions): Promise<LoadCrowd> {
    const notes: Notes = { random: new Random(SEED), acknowledged: [] }
    const more = Math.ceil(players / connections) - 1
    const open = async (_: unknown, table: number) => {
      const sit = (place: number) => new LoadPlayer(`Player ${table} ${place}`, notes)
      const others = Array.from({ length: more }, (_, place) => sit(place + 1))
      return new Table(await HttpConnection.open(url), [sit(0), ...others])
    }
    const tables = await Promise.all(Array.from({ length: connections }, open))
    await Promise.all(tables.map(joinAll))
    return new LoadCrowd(tables, notes)
  }

  /** The attempts acknowledged since the last call. */
  takeAcknowledged(): Acknowledged[] {
    return this.#notes.acknowledged.splice(0)
  }

  /** Closed loop: every table plays round after round, as fast as it is answered. */
  async peak(seconds: number): Promise<Run> {
    const timings = new Timings()
    const began = performance.now()
    const end = began + seconds * 1_000
    const playOn = async (table: Table) => {
      let rounds = 0
      for (; performance.now() < end; rounds += 1) await playAtOnce(table, timings)
      return rounds
    }
    const rounds = await Promise.all(this.#tables.map(playOn))
    return summary(
      rounds.reduce((sum, more) => sum + more, 0),
      began,
      timings,
    )
  }

  /**
   * Open loop: rounds begin on a fixed schedule, whether or not earlier ones have ended. A call is timed from the moment
   * it was due, so a server that stalls is charged for everybody it keeps waiting.
   *
   * @param rate rounds a second
   */
  async steady(rate: number, seconds: number): Promise<Run> {
    const timings = new Timings()
    const tables = new FreeTables(this.#tables)
    const rounds = Math.round(rate * seconds)
    const playing: Promise<void>[] = []
    const began = performance.now()
    while (playing.length < rounds) {
      const due = Math.min(rounds, Math.ceil(((performance.now() - began) / 1_000) * rate))
      while (playing.length < due) {
        const dueAt = began + (playing.length / rate) * 1_000
        const round = playOnTime(tables, dueAt, timings)
        // Awaited below, once all have begun; until then a rejection would count as unhandled.
        round.catch(() => undefined)
        playing.push(round)
      }
      await sleep(TICK_MS)
    }
    await Promise.all(playing)
    return summary(rounds, began, timings)
  }

  close(): void {
    for (const { connection } of this.#tables) connection.close()
  }
}

async function joinAll({ connection, players }: Table): Promise<void> {
  for (const player of players) await player.join(connection)
}

async function playAtOnce(table: Table, timings: Timings): Promise<void> {
  const { connection } = table
  const player = table.nextPlayer()
  const startAt = performance.now()
  await player.start(connection)
  const stopAt = performance.now()
  await player.stop(connection)
  timings.add(stopAt - startAt)
  timings.add(performance.now() - stopAt)
  await player.rest(connection)
}

async function playOnTime(tables: FreeTables, dueAt: number, timings: Timings): Promise<void> {
  const table = await tables.take()
  const { connection } = table
  const player = table.nextPlayer()
  await player.start(connection)
  const startedAt = performance.now()
  timings.add(startedAt - dueAt)
  const stopDueAt = Math.max(startedAt, dueAt + HOLD_MS)
  await sleep(stopDueAt - performance.now())
  await player.stop(connection)
  timings.add(performance.now() - stopDueAt)
  tables.give(table)
}

function summary(rounds: number, began: number, timings: Timings): Run {
  return { rounds, seconds: (performance.now() - began) / 1_000, calls: timings.summary() }
}
