import { randomUUID } from 'node:crypto'

/** A player: 128 bits, of which 122 are random, written as a uuid. */
export type PlayerId = string

/** A player's last attempt; both are 0 before the first. */
export interface LastAttempt {
  readonly id: number
  readonly round: number
}

export function newPlayer(): PlayerId {
  return randomUUID()
}
