import { readJson, removeStored, type Storage, writeJson } from '../lib/storage.ts'

/** An attempt that is not yet recorded. `round` contains the round's token. */
export interface PendingAttempt {
  readonly round: string
  /** The server's start token; null until the token arrives. */
  readonly start: string | null
  readonly username: string
  readonly target_ms: number
  readonly actual_ms: number
  /** The number of the player's recorded rounds at Stop; null if unknown. */
  readonly rounds: number | null
}

export const PENDING_ATTEMPT_KEY = 'taps-unsent'

export function readPendingAttempt(storage: Storage): PendingAttempt | null {
  const stored = readJson(storage, PENDING_ATTEMPT_KEY)
  // Releases before 1.3.0 stored no number of rounds.
  const pending = { rounds: null, ...(stored as object | null) }
  return isPendingAttempt(pending) ? pending : null
}

export function storePendingAttempt(storage: Storage, pending: PendingAttempt): void {
  writeJson(storage, PENDING_ATTEMPT_KEY, pending)
}

/** Removes the attempt, unless another tab has replaced the attempt. */
export function removePendingAttempt(storage: Storage, { round, actual_ms }: PendingAttempt): void {
  const stored = readPendingAttempt(storage)
  if (stored?.round === round && stored.actual_ms === actual_ms) removeStored(storage, PENDING_ATTEMPT_KEY)
}

function isPendingAttempt(value: unknown): value is PendingAttempt {
  if (typeof value !== 'object' || value === null) return false
  const { round, start, username, target_ms, actual_ms, rounds } = value as Partial<
    Record<keyof PendingAttempt, unknown>
  >
  return (
    typeof round === 'string' &&
    (start === null || typeof start === 'string') &&
    typeof username === 'string' &&
    Number.isInteger(target_ms) &&
    Number.isInteger(actual_ms) &&
    (rounds === null || Number.isInteger(rounds))
  )
}
