import { randomUUID } from 'node:crypto'

/** A player: 128 bits, of which 122 are random, written as a uuid. */
export type PlayerId = string

/** The end of what a player has played: both 0 before the first attempt. */
export interface LastAttempt {
  readonly id: number
  readonly round: number
}

export function newPlayer(): PlayerId {
  return randomUUID()
}
