/** The model of the game: plain data, and what can be read off it. */

export interface Attempt {
  username: string
  readonly is_guest: boolean
  readonly differenceMs: number
  readonly won_taps: number | null
  claimed: boolean
}

/** Attempt n is the one of round n + 1. */
export interface Player {
  readonly attempts: Attempt[]
  /** The wins whose prizes are held for this player. */
  held: Attempt[]
}

export interface Account {
  readonly username: string
  password: string
  readonly player: Player
  taps_balance: number
}

/** A round that was handed out: the player's and which one. */
export interface Round {
  readonly player: Player
  readonly number: number
}

/** An attempt on its way. */
export interface Sent {
  readonly round: Round
  readonly differenceMs: number
}

/** What a browser knows; nobody before the first visit and after a logout. */
export interface Browser {
  readonly name: string
  player: Player | null
  account: Account | null
  round: Round | null
  /** The one that was started last. */
  start: Round | null
  /** What was sent last. */
  sent: Sent | null
}

export interface Game {
  pool: number
  lastWin: Attempt | null
  readonly players: Player[]
  readonly accounts: Account[]
  readonly browsers: readonly Browser[]
}

export function newGame(names: readonly string[]): Game {
  const blank = { player: null, account: null, round: null, start: null, sent: null }
  return {
    pool: 0,
    lastWin: null,
    players: [],
    accounts: [],
    browsers: names.map(name => ({ name, ...blank })),
  }
}

export function heldBy({ held }: Player): number {
  return sum(held.map(({ won_taps }) => won_taps ?? 0))
}

/** Highest first, ties by who came first: the sort keeps their order. */
export function board({ accounts }: Game): Account[] {
  return accounts.toSorted((one, other) => other.taps_balance - one.taps_balance)
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
