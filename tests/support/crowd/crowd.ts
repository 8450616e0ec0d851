import { setTimeout as sleep } from 'node:timers/promises'
import { LedgerWatch } from '../../faults/ledger-watch.ts'
import type { Acknowledged, Auditor } from '../audit.ts'
import { PATIENCE_MS } from '../patient-client.ts'
import { Random } from '../random.ts'
import { Seat } from './seat.ts'

/** The share of rounds that win, unless the crowd has its own. */
const WINS = 0.06
const POLL_MS = 5

/** The number of crowds so far, which distinguishes their accounts on one database. */
let crowds = 0

interface CrowdOptions {
  readonly players: number
  readonly random: Random
  /** Returns the server's address for the next call. */
  readonly url: () => string
  /** The pause of each player after each action, in ms; 0 by default. */
  readonly pauseMs?: number
  /** The share of rounds that win; players without a win never sign up. */
  readonly wins?: number
  /** Compares the database with the answers. Prizes must not return to the pool during the test. */
  readonly auditor?: Auditor
}

/**
 * Players who play, win, sign up, claim, log out and repeat unanswered calls. Each player checks every answer
 * against the earlier answers.
 */
export class Crowd {
  readonly number = ++crowds
  readonly url: () => string
  readonly random: Random
  readonly pauseMs: number
  readonly wins: number
  readonly players: number
  readonly acknowledged: Acknowledged[] = []
  /** The balance that each account must have, according to the answers. */
  readonly credited = new Map<string, number>()
  /** The number of answers with each status; `lost` counts missing answers. */
  readonly statuses = new Map<number | 'lost', number>()
  /** The longest time between two acknowledged attempts of one seat, in ms; may be reset to 0. */
  longestWaitMs = 0
  /** The longest time until a call was answered or lost, in ms. */
  slowestMs = 0
  leaving = false
  /** Wrong answers and unserved calls. */
  readonly #violations: string[] = []
  /** The time at which each seat's newest attempt was acknowledged, in monotonic ms. */
  readonly #playedAt: number[]
  readonly #auditor: Auditor | undefined
  readonly #watch: LedgerWatch | undefined
  readonly #seats: Promise<void>[]
  #audited = 0

  constructor({ players, random, url, pauseMs = 0, wins = WINS, auditor }: CrowdOptions) {
    this.url = url
    this.pauseMs = pauseMs
    this.wins = wins
    this.players = players
    this.random = random
    this.#auditor = auditor
    this.#watch = auditor && new LedgerWatch(auditor)
    this.#playedAt = Array<number>(players).fill(0)
    this.#seats = this.#playedAt.map((_, seat) => this.#seat(seat))
  }

  /** Gathers players who record this many attempts per second and never win. */
  static async playSteadily(url: string, perSecond: number): Promise<Crowd> {
    const options = { players: perSecond, pauseMs: 1_000, wins: 0 }
    const crowd = new Crowd({ ...options, random: new Random(1), url: () => url })
    await crowd.more(perSecond)
    return crowd
  }

  /** Waits for this many more acknowledged attempts. */
  more(attempts: number): Promise<void> {
    const goal = this.acknowledged.length + attempts
    return this.#until(`${attempts} attempts`, () => this.acknowledged.length >= goal)
  }

  /** Waits until every player has started and recorded another attempt. */
  async everyPlayerRecords(): Promise<void> {
    // Waits twice, because the first attempt acknowledged may have been recorded before this call.
    for (const _ of ['first', 'second']) {
      const now = performance.now()
      await this.#until('an attempt of each player', () => this.#playedAt.every(playedAt => playedAt >= now))
    }
  }

  /**
   * Checks that the database has everything acknowledged since the last check.
   *
   * @param after - The fault before this check, for the error.
   * @returns the number of these attempts
   * @throws Error with all violations and losses
   */
  async audit(after: string): Promise<number> {
    const acknowledged = this.acknowledged.slice(this.#audited)
    this.#audited += acknowledged.length
    const lost = await this.#auditor?.lost({ acknowledged, credited: this.credited })
    this.#throwAny(lost, `After ${after}:`)
    return acknowledged.length
  }

  /**
   * Lets the players finish their unanswered calls and leave. Then every acknowledged attempt must be in the
   * database once, no prize may be paid twice, and the ledger must have been balanced all the time.
   *
   * @throws Error with all violations and losses
   */
  async leave(): Promise<void> {
    this.leaving = true
    await Promise.all(this.#seats)
    // Players repeat each attempt until it is answered, so no other attempts may exist.
    this.#throwAny(await this.#auditor?.lost(this, `Crowd ${this.number} seat %`))
    await this.#watch?.stop()
    this.#throwAny(await this.#auditor?.contradictions())
    this.#throwAny(await this.#auditor?.unshared())
  }

  acknowledge(seat: number, attempt: Acknowledged): void {
    const now = performance.now()
    this.longestWaitMs = Math.max(this.longestWaitMs, now - (this.#playedAt[seat] || now))
    this.#playedAt[seat] = now
    this.acknowledged.push(attempt)
  }

  /** Counts the status of an answer, or `lost`. */
  count(status: number | 'lost', tookMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.slowestMs = Math.max(this.slowestMs, tookMs)
  }

  #throwAny(found: readonly string[] = [], heading = 'The crowd found:'): void {
    const wrong = [...this.#violations, ...found]
    if (wrong.length > 0) throw new Error([heading, ...wrong].join('\n'))
  }

  async #until(what: string, isReached: () => boolean): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS
    while (!isReached()) {
      this.#throwAny()
      if (performance.now() > deadline) throw new Error(`The crowd did not record ${what} in time`)
      await sleep(POLL_MS)
    }
  }

  async #seat(number: number): Promise<void> {
    try {
      await new Seat(this, number).stay()
    } catch (error) {
      this.#violations.push(error instanceof Error ? error.message : String(error))
    }
  }
}
