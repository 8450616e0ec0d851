import { randomBytes } from 'node:crypto'

/** A player: 128 random bits, written as a uuid. */
export type PlayerId = string

/** The end of what a player has played: both 0 before the first attempt. */
export interface LastAttempt {
  readonly id: number
  readonly round: number
}

export const PLAYER_BYTES = 16

export function newPlayer(): PlayerId {
  return playerFromBytes(randomBytes(PLAYER_BYTES))
}

export function playerFromBytes(bytes: Buffer): PlayerId {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function playerToBytes(player: PlayerId): Buffer {
  return Buffer.from(player.replaceAll('-', ''), 'hex')
}
