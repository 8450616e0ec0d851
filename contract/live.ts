import type { AttemptList, Leaderboard, PrizePool } from './api.ts'

/** The boards, by the names of the live stream's events. */
export const LIVE_PARTS = ['prize_pool', 'leaderboard', 'attempts'] as const
export type LivePart = (typeof LIVE_PARTS)[number]

/** Each event has the body of its GET. */
export interface LiveBodies {
  prize_pool: PrizePool
  leaderboard: Leaderboard
  attempts: AttemptList
}
