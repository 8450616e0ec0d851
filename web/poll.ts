import type { LiveBodies } from '../contract/live.ts'
import { get } from './api.ts'

/** What everybody watches, by plain calls, as far as it can be had. */
export async function readBoards(): Promise<Partial<LiveBodies>> {
  const [pool, leaderboard, attempts] = await Promise.all([
    get('/api/prize-pool'),
    get('/api/leaderboard'),
    get('/api/attempts'),
  ])
  return {
    ...(pool.ok && { prize_pool: pool.body }),
    ...(leaderboard.ok && { leaderboard: leaderboard.body }),
    ...(attempts.ok && { attempts: attempts.body }),
  }
}
