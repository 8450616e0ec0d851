import type { AttemptList, Leaderboard, PrizePool } from './api.ts'

/** The parts of the game that everybody watches, by the names of the live stream's events. */
export const LIVE_PARTS = ['prize_pool', 'leaderboard', 'attempts'] as const
export type LivePart = (typeof LIVE_PARTS)[number]

/** An event has the body that a GET of the same part answers. */
export interface LiveBodies {
  prize_pool: PrizePool
  leaderboard: Leaderboard
  attempts: AttemptList
}
