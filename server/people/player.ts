import { randomUUID } from 'node:crypto'

export type PlayerId = string

/** A player's last attempt; both fields are 0 before any attempt. */
export interface LastAttempt {
  readonly id: number
  readonly round: number
}

export function newPlayerId(): PlayerId {
  return randomUUID()
}
