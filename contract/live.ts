import type { AttemptList, Leaderboard, PrizePool, Today } from './api.ts'

/** The event names of the live stream that carry data of the game. */
export const LIVE_PARTS = ['prize_pool', 'leaderboard', 'attempts', 'today'] as const
export type LivePart = (typeof LIVE_PARTS)[number]

/** The data of each event: the matching GET endpoint's answer. */
export interface LiveBodies {
  prize_pool: PrizePool
  leaderboard: Leaderboard
  attempts: AttemptList
  today: Today
}

/** The event that shows a quiet stream to be alive. */
export const LIVE_PING = 'ping'
export const LIVE_PING_MS = 20_000

/** The data of a ping: the server's time. Browsers deliver no event without data. */
export interface LivePing {
  readonly now: string
}
