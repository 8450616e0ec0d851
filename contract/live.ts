import type { AttemptList, Leaderboard, PrizePool } from './api.ts'

/** The event names of the live stream. */
export const LIVE_PARTS = ['prize_pool', 'leaderboard', 'attempts'] as const
export type LivePart = (typeof LIVE_PARTS)[number]

/** The data of each event: the matching GET endpoint's answer. */
export interface LiveBodies {
  prize_pool: PrizePool
  leaderboard: Leaderboard
  attempts: AttemptList
}
