import { setTimeout as sleep } from 'node:timers/promises'
import type { Acknowledged, Credited } from './audit.ts'
import { Player } from './crowd-player.ts'
import { Random } from './random.ts'

const PATIENCE_MS = 60_000
/** The share of rounds that win, unless the crowd has its own. */
const WINS = 0.06
const POLL_MS = 5

/** The number of crowds so far, which distinguishes their accounts on one database. */
let crowds = 0

interface CrowdOptions {
  readonly players: number
  readonly random: Random
  readonly url: () => string
  /** The pause of each player after each action, in ms; 0 by default. */
  readonly pauseMs?: number
  /** The share of rounds that win; players without a win never sign up. */
  readonly wins?: number
}

/**
 * Players who play, win, sign up, claim, log out and repeat unanswered calls. Each player checks every answer
 * against the earlier answers.
 */
export class Crowd {
  readonly number = ++crowds
  /** Returns the server's address for the next call. */
  readonly url: () => string
  readonly random: Random
  readonly pauseMs: number
  readonly wins: number
  readonly players: number
  /** The longest time for which a call may be refused or lost, in ms. */
  readonly patienceMs = PATIENCE_MS
  readonly acknowledged: Acknowledged[] = []
  /** The time at which each seat's newest attempt was acknowledged, in monotonic ms. */
  readonly playedAt = new Map<number, number>()
  /** The longest time between two acknowledged attempts of one seat, in ms; may be reset to 0. */
  longestWaitMs = 0
  readonly credited = new Map<string, Credited>()
  /** Wrong answers and unserved calls; must stay empty. */
  readonly violations: string[] = []
  /** The number of answers with each status; `lost` counts missing answers. */
  readonly statuses = new Map<number | 'lost', number>()
  /** The longest time until a call was answered or lost, in ms. */
  slowestMs = 0
  signUps = 0
  claims = 0
  #leaving = false
  readonly #seats: Promise<void>[]

  constructor({ players, random, url, pauseMs = 0, wins = WINS }: CrowdOptions) {
    this.url = url
    this.pauseMs = pauseMs
    this.wins = wins
    this.players = players
    this.random = random
    this.#seats = Array.from({ length: players }, (_, seat) => this.#seat(seat))
  }

  /** Gathers players who record this many attempts per second and never win. */
  static async playSteadily(url: string, perSecond: number): Promise<Crowd> {
    const crowd = new Crowd({
      players: perSecond,
      random: new Random(1),
      url: () => url,
      pauseMs: 1_000,
      wins: 0,
    })
    await crowd.more(perSecond)
    return crowd
  }

  get leaving(): boolean {
    return this.#leaving
  }

  /** Waits for this many more acknowledged attempts. */
  async more(attempts: number): Promise<void> {
    const goal = this.acknowledged.length + attempts
    const deadline = performance.now() + this.patienceMs
    while (this.acknowledged.length < goal && this.violations.length === 0) {
      if (performance.now() > deadline)
        throw new Error(`Fewer than ${attempts} attempts were recorded within ${this.patienceMs} ms`)
      await sleep(POLL_MS)
    }
  }

  /** Waits until every player has started and recorded another attempt. */
  async everyPlayerRecords(): Promise<void> {
    await this.#playedSince(performance.now())
    // Waits again, because the first attempt acknowledged may have been recorded before this call.
    await this.#playedSince(performance.now())
  }

  /**
   * Lets the players finish their unanswered calls and leave.
   *
   * @throws Error with the violations, if there are any
   */
  async leave(): Promise<void> {
    this.#leaving = true
    await Promise.all(this.#seats)
    if (this.violations.length > 0) throw new Error(this.violations.join('\n'))
  }

  acknowledge(seat: number, attempt: Acknowledged): void {
    const now = performance.now()
    this.longestWaitMs = Math.max(this.longestWaitMs, now - (this.playedAt.get(seat) ?? now))
    this.playedAt.set(seat, now)
    this.acknowledged.push(attempt)
  }

  /** Counts the status of an answer, or `lost`. */
  count(status: number | 'lost', tookMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.slowestMs = Math.max(this.slowestMs, tookMs)
  }

  async #playedSince(then: number): Promise<void> {
    const deadline = performance.now() + this.patienceMs
    const isLate = (_: unknown, seat: number) => (this.playedAt.get(seat) ?? 0) < then
    while (this.#seats.some(isLate) && this.violations.length === 0) {
      if (performance.now() > deadline)
        throw new Error(`Some players recorded no attempt within ${this.patienceMs} ms`)
      await sleep(POLL_MS)
    }
  }

  async #seat(seat: number): Promise<void> {
    try {
      await new Player(this, seat).play()
    } catch (error) {
      this.violations.push(error instanceof Error ? error.message : String(error))
    }
  }
}
