import type { Claimed } from '../contract/api.ts'
import { IDLE, type RoundState } from './round.ts'
import { createStore, type Store } from './store.ts'

export type View = 'main' | 'login' | 'claim'

export interface GameState {
  readonly view: View
  readonly round: RoundState
  /** Whether an attempt is in flight. */
  readonly sending: boolean
  /** Whether a login, logout, claim or account change is in progress. */
  readonly changing: boolean
  readonly message: string | null
  /** The reason why the name was refused, or null. */
  readonly nameProblem: string | null
  /** Whether this page has started a round or resumed an attempt. */
  readonly begun: boolean
  /** The TAPS won by the result in view, or null. */
  readonly won: number | null
  /** The latest claim until the next round, or null. */
  readonly claimed: Claimed | null
  /** Whether a win is in view, before claim mode opens. */
  readonly celebrating: boolean
  /** Whether claim mode shows the form for a new account. */
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
