import type { FastifyInstance } from 'fastify'
import { type AnswerOfCall, CALLS, type Call } from '../../contract/api.ts'
import { attemptsOf, recentAttempts } from '../game/attempts.ts'
import { leaderboard } from '../game/leaderboard.ts'
import { prizePool } from '../game/prizes.ts'
import { shared } from '../lib/batch.ts'
import type { Services } from '../services.ts'
import { serve } from './route.ts'

/** The calls for what is shown beside the game. */
export function addBoards(app: FastifyInstance, services: Services): void {
  const { database, identities, refusedNames } = services
  const { mask } = refusedNames

  /** Serves what is the same for everybody: requests that arrive together share one read. */
  function serveAll<C extends Call>(call: C, read: () => Promise<AnswerOfCall<C>>): void {
    serve(app, services, call, shared(read))
  }

  serveAll(CALLS.recentAttempts, () => recentAttempts(database, mask))
  serveAll(CALLS.leaderboard, () => leaderboard(database, mask))
  serveAll(CALLS.prizePool, () => prizePool(database, mask))

  serve(app, services, CALLS.myAttempts, async ({ caller }) => {
    const identity = caller && (caller.identity ?? (await identities.authenticate(caller.credentials)))
    return identity ? attemptsOf(database, identity.player) : { attempts: [] }
  })
}
