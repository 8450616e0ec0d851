import { readJson, type Storage, writeJson } from './storage.ts'

/** The attempt that was played but is not recorded yet. */
export interface Unsent {
  /** The token of its round. */
  readonly round: string
  /** The server's stamp of its Start, once that has arrived. */
  readonly start: string | null
  readonly username: string
  readonly target_ms: number
  readonly actual_ms: number
}

export const UNSENT_KEY = 'taps-unsent'

export function readUnsent(storage: Storage): Unsent | null {
  const stored = readJson(storage, UNSENT_KEY)
  return isUnsent(stored) ? stored : null
}

export function keepUnsent(storage: Storage, unsent: Unsent): void {
  writeJson(storage, UNSENT_KEY, unsent)
}

/** Removes the attempt, unless another tab has stored a different one meanwhile. */
export function dropUnsent(storage: Storage, { round, actual_ms }: Unsent): void {
  const stored = readUnsent(storage)
  if (stored?.round === round && stored.actual_ms === actual_ms) storage.removeItem(UNSENT_KEY)
}

function isUnsent(value: unknown): value is Unsent {
  if (typeof value !== 'object' || value === null) return false
  const { round, start, username, target_ms, actual_ms } = value as Partial<Record<keyof Unsent, unknown>>
  return (
    typeof round === 'string' &&
    (start === null || typeof start === 'string') &&
    typeof username === 'string' &&
    Number.isInteger(target_ms) &&
    Number.isInteger(actual_ms)
  )
}
