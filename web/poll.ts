import type { AttemptList, Leaderboard, PrizePool } from '../contract/api.ts'
import { type Answer, get } from './api.ts'

/** What everybody watches, by plain calls; what cannot be had is null. */
export async function readBoards() {
  const [pool, leaderboard, attempts] = await Promise.all([
    get('/api/prize-pool'),
    get('/api/leaderboard'),
    get('/api/attempts'),
  ])
  return { prize_pool: bodyOf(pool), leaderboard: bodyOf(leaderboard), attempts: bodyOf(attempts) }
}

function bodyOf<Body extends PrizePool | Leaderboard | AttemptList>(answer: Answer<Body>): Body | null {
  return answer.ok ? answer.body : null
}
