import { setTimeout as sleep } from 'node:timers/promises'
import type { Acknowledged, Credited } from './audit.ts'
import { Player } from './crowd-player.ts'
import type { Random } from './random.ts'

const PATIENCE_MS = 60_000
const POLL_MS = 5

/** The number of crowds so far, which distinguishes their accounts on one database. */
let crowds = 0

interface CrowdOptions {
  readonly players: number
  readonly random: Random
  readonly url: () => string
  /** The pause of each player after each action, in ms; 0 by default. */
  readonly pauseMs?: number
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
  readonly #players: Promise<void>[]

  constructor({ players, random, url, pauseMs = 0 }: CrowdOptions) {
    this.url = url
    this.pauseMs = pauseMs
    this.random = random
    this.#players = Array.from({ length: players }, (_, seat) => this.#seat(seat))
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

  /** Lets the players finish their unanswered calls and leave. */
  async leave(): Promise<void> {
    this.#leaving = true
    await Promise.all(this.#players)
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
    while (this.#players.some(isLate) && this.violations.length === 0) {
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
