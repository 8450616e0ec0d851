import type { PlayerRecord } from '../../../contract/api.ts'
import { HAND_SIZE } from '../../../contract/rules.ts'

/** The model's state as plain data, with functions that read the state. */

export interface Attempt {
  username: string
  is_guest: boolean
  readonly differenceMs: number
  readonly verified: boolean
  readonly won_taps: number | null
  claimed: boolean
}

export interface Player {
  /** The attempts by round: the index is the round's number minus one. */
  readonly attempts: Attempt[]
  /** The wins with held prizes. */
  held: Attempt[]
  /** Whether the player is still a guest, so that the guest's cookie is valid. */
  isGuest: boolean
}

export interface Account {
  readonly username: string
  password: string
  readonly player: Player
  /** The claimed wins, which make up the balance. */
  readonly claimed: Attempt[]
  /** What bans took back of these wins. */
  takenBack: number
  isBanned: boolean
  /** The recorded names of claimed wins that a guest had played. */
  readonly guestNames: Map<Attempt, string>
}

export interface Session {
  readonly account: Account
  isOpen: boolean
}

export interface Round {
  readonly player: Player
  readonly number: number
}

export interface Sent {
  readonly round: Round
  readonly differenceMs: number
}

/** The cookies of a browser: any guest and any session, past or present, in any combination. */
export interface Cookies {
  guest: Player | null
  session: Session | null
}

/** A browser, with the last round, start and attempt that the page knows. */
export interface Browser extends Cookies {
  readonly name: string
  round: Round | null
  start: Round | null
  sent: Sent | null
}

export interface Game {
  pool: number
  lastWin: Attempt | null
  readonly players: Player[]
  readonly accounts: Account[]
  /** All players for whom the server ever set a guest's cookie. */
  readonly guests: Player[]
  /** All sessions ever opened. */
  readonly sessions: Session[]
  readonly browsers: readonly Browser[]
}

export function newGame(names: readonly string[]): Game {
  const blank = { guest: null, session: null, round: null, start: null, sent: null }
  return {
    pool: 0,
    lastWin: null,
    players: [],
    accounts: [],
    guests: [],
    sessions: [],
    browsers: names.map(name => ({ name, ...blank })),
  }
}

/** Returns the player that a server recognises by these cookies; null for unknown cookies. */
export function identify({ guest, session }: Cookies): { player: Player; account: Account | null } | null {
  if (session?.isOpen) return { player: session.account.player, account: session.account }
  return guest?.isGuest ? { player: guest, account: null } : null
}

export function currentRound(player: Player): Round {
  return { player, number: player.attempts.length + 1 }
}

export function accountOf(cookies: Cookies): Account | null {
  return identify(cookies)?.account ?? null
}

export function recordOf({ attempts }: Player): PlayerRecord {
  const verified = attempts.filter(attempt => attempt.verified)
  const distances = verified.map(({ differenceMs }) => Math.abs(differenceMs))
  const best = distances.length === 0 ? null : Math.min(...distances) / 1_000
  const streak = verified.length - 1 - verified.findLastIndex(({ won_taps }) => won_taps === null)
  return { rounds: attempts.length, best, streak }
}

/** Returns the smallest sum of a hand's five differences, in ms; null without a hand that is verified throughout. */
export function bestHandOf({ attempts }: Player): number | null {
  const sums: number[] = []
  for (let from = 0; from + HAND_SIZE <= attempts.length; from += HAND_SIZE) {
    const hand = attempts.slice(from, from + HAND_SIZE)
    if (hand.every(({ verified }) => verified)) {
      sums.push(sum(hand.map(({ differenceMs }) => Math.abs(differenceMs))))
    }
  }
  return sums.length === 0 ? null : Math.min(...sums)
}

export function heldBy({ held }: Player): number {
  return won(held)
}

export function balanceOf({ claimed, takenBack }: Account): number {
  return won(claimed) - takenBack
}

function won(wins: readonly Attempt[]): number {
  return sum(wins.map(({ won_taps }) => won_taps ?? 0))
}

/** Returns accounts by balance, highest first, without banned ones. Among equal balances, older accounts come first. */
export function board({ accounts }: Game): Account[] {
  return accounts
    .filter(({ isBanned }) => !isBanned)
    .toSorted((one, other) => balanceOf(other) - balanceOf(one))
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
