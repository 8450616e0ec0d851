import type { FastifyInstance } from 'fastify'
import { type AnswerOfCall, CALLS, type Call } from '../../contract/api.ts'
import type { PlayersLimit } from '../../contract/limits.ts'
import { attemptsOf, recentAttempts } from '../game/attempts.ts'
import { leaderboard } from '../game/leaderboard.ts'
import { prizePool } from '../game/prizes.ts'
import { shared } from '../lib/batch.ts'
import type { Services } from '../services.ts'
import { serve } from './route.ts'

/** The calls for what is shown beside the game. */
export function addBoards(
  app: FastifyInstance,
  { database, identities, refusedNames: { mask }, visitors }: Services,
): void {
  /** Serves what is the same for everybody: requests that arrive together share one read. */
  function serveAll<C extends Call & { readonly limit: PlayersLimit }>(
    call: C,
    read: () => Promise<AnswerOfCall<C>>,
  ): void {
    const readOnce = shared(read)
    serve(app, call, async exchange => {
      await visitors.find(call.limit, exchange)
      return readOnce()
    })
  }

  serveAll(CALLS.recentAttempts, () => recentAttempts(database, mask))
  serveAll(CALLS.leaderboard, () => leaderboard(database, mask))
  serveAll(CALLS.prizePool, () => prizePool(database, mask))

  serve(app, CALLS.myAttempts, async exchange => {
    const visitor = await visitors.find(CALLS.myAttempts.limit, exchange)
    const identity = visitor && (visitor.identity ?? (await identities.authenticate(visitor.credentials)))
    return identity ? attemptsOf(database, identity.player) : { attempts: [] }
  })
}
