import type { LiveBodies, LivePart } from '../../contract/live.ts'
import type { Store } from '../lib/store.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** The state of the stream and the boards; a board is null until received. */
export interface LiveState {
  readonly status: LiveStatus
  readonly parts: { readonly [Part in LivePart]: LiveBodies[Part] | null }
}

export const INITIAL: LiveState = {
  status: 'reconnecting',
  parts: { prize_pool: null, leaderboard: null, attempts: null, today: null },
}

export function update(state: Store<LiveState>, status: LiveStatus, parts?: Partial<LiveBodies>): void {
  const { parts: last } = state.get()
  state.set({ status, parts: parts ? { ...last, ...parts } : last })
}

export function statusWithoutStream(): LiveStatus {
  return navigator.onLine ? 'reconnecting' : 'offline'
}
