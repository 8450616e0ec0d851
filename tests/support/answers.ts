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

/** What the players of a crowd were answered, all together. */
export class Answers {
  readonly acknowledged: Acknowledged[] = []
  /** When the newest attempt of each seat was acknowledged, monotonic ms. */
  readonly playedAt = new Map<number, number>()
  /** The longest time anybody waited from one acknowledged attempt to the next, ms; may be set back to 0. */
  longestWaitMs = 0
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

  /** Notes an attempt that somebody was told is recorded. */
  acknowledge(seat: number, attempt: Acknowledged): void {
    const now = performance.now()
    this.longestWaitMs = Math.max(this.longestWaitMs, now - (this.playedAt.get(seat) ?? now))
    this.playedAt.set(seat, now)
    this.acknowledged.push(attempt)
  }

  /** Notes an answer, or the lack of one. */
  count(status: number | 'lost', tookMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.slowestMs = Math.max(this.slowestMs, tookMs)
  }
}
