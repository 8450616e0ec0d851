import { setTimeout as sleep } from 'node:timers/promises'
import { Answers } from './answers.ts'
import { Player, type Surroundings } from './crowd-player.ts'
import type { Random } from './random.ts'

/** After this time without an answer the crowd gives a server up, ms. */
const PATIENCE_MS = 60_000
const POLL_MS = 5

/** Distinguishes the accounts of several crowds on one database. */
let crowds = 0

interface CrowdOptions {
  readonly players: number
  readonly random: Random
  /** The address for the next call; read before every call. */
  readonly url: () => string
  /** The pause of each player after each act, ms; none by default. */
  readonly pauseMs?: number
}

/**
 * People who play, win, sign up, claim and log out, as fast as they are answered or at a pace, and send unanswered calls
 * again. The crowd remembers every answer, and checks each one against the earlier ones.
 */
export class Crowd extends Answers implements Surroundings {
  readonly number = ++crowds
  readonly url: () => string
  readonly random: Random
  readonly pauseMs: number
  readonly patienceMs = PATIENCE_MS
  #leaving = false
  readonly #players: Promise<void>[]

  constructor({ players, random, url, pauseMs = 0 }: CrowdOptions) {
    super()
    this.url = url
    this.pauseMs = pauseMs
    this.random = random
    this.#players = Array.from({ length: players }, (_, seat) => this.#seat(seat))
  }

  /** True once the players are to finish their unanswered calls and leave. */
  get leaving(): boolean {
    return this.#leaving
  }

  /** Waits until this many more attempts are acknowledged. */
  async more(attempts: number): Promise<void> {
    const goal = this.acknowledged.length + attempts
    const deadline = performance.now() + this.patienceMs
    while (this.acknowledged.length < goal && this.wrongs.length === 0) {
      if (performance.now() > deadline) throw new Error(`No ${attempts} attempts in ${this.patienceMs} ms`)
      await sleep(POLL_MS)
    }
  }

  /** Waits until every player has begun an attempt from now on that was acknowledged. */
  async everybody(): Promise<void> {
    await this.#playedSince(performance.now())
    // The first one may have been recorded before, and only answered now.
    await this.#playedSince(performance.now())
  }

  /** The players finish their unanswered calls and leave, so that nothing stays open. */
  async leave(): Promise<void> {
    this.#leaving = true
    await Promise.all(this.#players)
  }

  async #playedSince(then: number): Promise<void> {
    const deadline = performance.now() + this.patienceMs
    const isLate = (_: unknown, seat: number) => (this.playedAt.get(seat) ?? 0) < then
    while (this.#players.some(isLate) && this.wrongs.length === 0) {
      if (performance.now() > deadline) throw new Error(`Not everybody plays after ${this.patienceMs} ms`)
      await sleep(POLL_MS)
    }
  }

  async #seat(seat: number): Promise<void> {
    try {
      await new Player(this, seat).play()
    } catch (error) {
      this.wrongs.push(error instanceof Error ? error.message : String(error))
    }
  }
}
