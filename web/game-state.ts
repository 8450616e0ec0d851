import type { Claimed } from '../contract/api.ts'
import { IDLE, type RoundState } from './round.ts'
import { createStore, type Store } from './store.ts'

export type View = 'main' | 'login' | 'claim'

/** The state of the game as it is shown. */
export interface GameState {
  readonly view: View
  readonly round: RoundState
  /** An attempt is in flight; its answer brings the next round. */
  readonly sending: boolean
  /** A login, a logout or a claim is in flight: the player, or what they have, is about to change. */
  readonly changing: boolean
  /** A line that the player should read. */
  readonly message: string | null
  /** What is wrong with the name in its field, as a sentence. */
  readonly nameProblem: string | null
  /** A round has begun on this page. */
  readonly begun: boolean
  /** The TAPS won by the result in view; null for none. */
  readonly won: number | null
  /** What was just claimed, in view until the next round; null for none. */
  readonly claimed: Claimed | null
  /** A win is in view, and claim mode about to come. */
  readonly celebrating: boolean
  /** In claim mode a guest creates an account; false while "Sign in" is chosen. */
  readonly isNewAccount: boolean
}

/** The state of the game; each part changes its own fields. */
export interface GameStore extends Store<GameState> {
  update(part: Partial<GameState>): void
}

export function createGameStore(): GameStore {
  const store = createStore<GameState>({
    view: 'main',
    round: IDLE,
    sending: false,
    changing: false,
    message: null,
    nameProblem: null,
    begun: false,
    won: null,
    claimed: null,
    celebrating: false,
    isNewAccount: true,
  })
  return { ...store, update: part => store.set({ ...store.get(), ...part }) }
}

/** Returns true while the player neither plays nor looks at a win: only then a win of another player may be celebrated. */
export function isWatching({ round }: GameState): boolean {
  return round.phase === 'idle' || (round.phase === 'stopped' && !round.judgement.wins)
}
