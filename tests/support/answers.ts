/** An attempt that the server has acknowledged. */
export interface Acknowledged {
  readonly id: number
  readonly targetTime: number
  readonly actualTime: number
  readonly wonTaps: number | null
}

/** An account whose claim was answered, and the balance that it must have. */
export interface Credited {
  readonly username: string
  readonly balance: number
}

/** All answers that the players of a crowd received. */
export class Answers {
  readonly acknowledged: Acknowledged[] = []
  /** When the newest attempt of each seat was acknowledged: monotonic, ms. */
  readonly playedAt = new Map<number, number>()
  /** The longest time between two acknowledged attempts of one seat, ms; may be reset to 0. */
  longestWaitMs = 0
  readonly credited = new Map<string, Credited>()
  /** What must never happen, in words. */
  readonly wrongs: string[] = []
  /** How often each status was received; `lost` counts calls without an answer. */
  readonly statuses = new Map<number | 'lost', number>()
  /** The longest time until a call was answered or lost, ms. */
  slowestMs = 0
  signUps = 0
  claims = 0
  replays = 0

  /** Notes an acknowledged attempt. */
  acknowledge(seat: number, attempt: Acknowledged): void {
    const now = performance.now()
    this.longestWaitMs = Math.max(this.longestWaitMs, now - (this.playedAt.get(seat) ?? now))
    this.playedAt.set(seat, now)
    this.acknowledged.push(attempt)
  }

  /** Notes an answer, or that there was none. */
  count(status: number | 'lost', tookMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.slowestMs = Math.max(this.slowestMs, tookMs)
  }
}
