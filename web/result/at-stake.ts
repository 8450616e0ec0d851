import type { LastWin } from '../../contract/api.ts'
import { TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { createStore, type Store } from '../lib/store.ts'
import type { LiveState } from '../live/live.ts'
import type { GameState } from '../round/game.ts'
import type { Stopped } from '../round/round.ts'

/** What a miss was about. */
export interface AtStake {
  readonly result: Stopped
  /** The TAPS that a hit would have paid at the moment of Stop. */
  readonly taps: number
  /** Another player's win since Stop, or null. */
  readonly takenBy: LastWin | null
}

/** Follows what the miss in view was about; null for a hit, without a result, and while the pool is unknown. */
export function watchStake(game: Store<GameState>, live: Store<LiveState>): Store<AtStake | null> {
  const stake = createStore<AtStake | null>(null)
  /** The last win at the moment of Stop. */
  let winAtStop: string | undefined
  let lastRound = game.get().round

  function onGame(): void {
    const { round } = game.get()
    if (round === lastRound) return
    lastRound = round
    const pool = live.get().parts.prize_pool
    const isMiss = round.phase === 'stopped' && !round.judgement.wins
    winAtStop = pool?.last_win?.created_at
    stake.set(
      isMiss && pool !== null ? { result: round, taps: pool.taps + TAPS_PER_ATTEMPT, takenBy: null } : null,
    )
  }

  function onLive(): void {
    const current = stake.get()
    const win = live.get().parts.prize_pool?.last_win ?? null
    if (current === null || win === null || win.created_at === winAtStop) return
    winAtStop = win.created_at
    stake.set({ ...current, takenBy: win })
  }

  game.subscribe(onGame)
  live.subscribe(onLive)
  return stake
}
