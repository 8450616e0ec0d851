import type { Claimed } from '../contract/api.ts'
import { IDLE, type RoundState } from './round.ts'
import { createStore, type Store } from './store.ts'

export type View = 'main' | 'login' | 'claim'

/** What is shown of the game. */
export interface GameState {
  readonly view: View
  readonly round: RoundState
  /** An attempt is on its way: the next round comes with its answer. */
  readonly sending: boolean
  /** A login, a logout or a claim is on its way: who plays, or what they have, is about to be another. */
  readonly changing: boolean
  /** What the player should know, in one plain line. */
  readonly message: string | null
  /** What is wrong with the name in its field, in words. */
  readonly nameProblem: string | null
  /** A round has begun on this page. */
  readonly begun: boolean
  /** The TAPS that the result in view has won; null for none. */
  readonly won: number | null
  /** What a claim has just brought, in view until the next round; null for none. */
  readonly claimed: Claimed | null
  /** A win is in view, and claim mode about to come. */
  readonly celebrating: boolean
}

/** The state of the game, of which each part changes what it is about. */
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
  })
  return { ...store, update: part => store.set({ ...store.get(), ...part }) }
}
