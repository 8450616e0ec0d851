import { randomUUID } from 'node:crypto'

export type PlayerId = string

/** A player's last attempt; both are 0 before the first. */
export interface LastAttempt {
  readonly id: number
  readonly round: number
}

export function newPlayerId(): PlayerId {
  return randomUUID()
}
