import type { Claimed } from '../contract/api.ts'
import { IDLE, type RoundState } from './round.ts'
import { createStore, type Store } from './store.ts'

export type View = 'main' | 'login' | 'claim'

export interface GameState {
  readonly view: View
  readonly round: RoundState
  /** True while an attempt is in flight. */
  readonly sending: boolean
  /** True during a login, logout, claim or account change. */
  readonly changing: boolean
  readonly message: string | null
  /** The reason why the name was refused; null for none. */
  readonly nameProblem: string | null
  /** True once this page has started a round or resumed an attempt. */
  readonly begun: boolean
  /** TAPS won by the result in view; null for none. */
  readonly won: number | null
  /** The latest claim, until the next round; null for none. */
  readonly claimed: Claimed | null
  /** True while a win is in view, before claim mode opens. */
  readonly celebrating: boolean
  /** False while the "Sign in" tab of claim mode is chosen. */
  readonly isNewAccount: boolean
}

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

/** Returns true while another player's win may be highlighted. */
export function canHighlightWin({ round }: GameState): boolean {
  return round.phase === 'idle' || (round.phase === 'stopped' && !round.judgement.wins)
}
