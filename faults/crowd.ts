import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../server/testing/dice.ts'
import { Player } from './player.ts'

/** How long a lull between two tries of a call may last until the crowd gives a server up. */
const PATIENCE_MS = 60_000
const POLL_MS = 2

/** Tells the accounts of several crowds on one database apart. */
let crowds = 0

/** An attempt that the server said it has recorded. */
export interface Acknowledged {
  readonly id: number
  readonly targetTime: number
  readonly actualTime: number
  readonly wonTaps: number | null
}

/** An account whose claim the server has answered: what its balance must be. */
export interface Credited {
  readonly username: string
  readonly balance: number
}

interface CrowdOptions {
  readonly players: number
  readonly dice: Dice
  /** Where a call goes now; asked again for every call. */
  readonly url: () => string
  /** What everybody waits after each act, ms; none by default. */
  readonly pauseMs?: number
}

/**
 * People who play, win, sign up, claim and log out, as fast as they are answered or at a pace, and send again what was not
 * answered. It remembers every answer, and each answer is checked against what was answered before.
 */
export class Crowd {
  readonly number = ++crowds
  readonly url: () => string
  readonly dice: Dice
  readonly pauseMs: number
  readonly patienceMs = PATIENCE_MS
  readonly acknowledged: Acknowledged[] = []
  readonly credited = new Map<string, Credited>()
  /** What may never happen, in words. */
  readonly wrongs: string[] = []
  /** How often each status was answered; `lost` is a call without an answer. */
  readonly statuses = new Map<number | 'lost', number>()
  /** The longest time a call took until it was answered or lost, ms. */
  slowestMs = 0
  signUps = 0
  claims = 0
  replays = 0
  #leaving = false
  readonly #players: Promise<void>[]

  constructor({ players, dice, url, pauseMs = 0 }: CrowdOptions) {
    this.url = url
    this.pauseMs = pauseMs
    this.dice = dice
    this.#players = Array.from({ length: players }, (_, seat) => this.#seat(seat))
  }

  /** True once everybody is to finish what is unanswered and go. */
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

  /** Everybody finishes what is unanswered, so that nothing is left open. */
  async leave(): Promise<void> {
    this.#leaving = true
    await Promise.all(this.#players)
  }

  /** Notes an answer, or the lack of one. */
  count(status: number | 'lost', tookMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.slowestMs = Math.max(this.slowestMs, tookMs)
  }

  async #seat(seat: number): Promise<void> {
    try {
      await new Player(this, seat).play()
    } catch (error) {
      this.wrongs.push(error instanceof Error ? error.message : String(error))
    }
  }
}
