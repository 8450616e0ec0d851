import type { FastifyInstance } from 'fastify'
import { type AnswerOfEndpoint, ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import type { Database } from '../database/pool.ts'
import { shared } from '../lib/batch.ts'
import type { NameMask } from '../people/refused-names.ts'
import { attemptsOf, recentAttempts } from '../play/attempts.ts'
import { leaderboard } from '../play/leaderboard.ts'
import { prizePool } from '../play/prizes.ts'
import { type RouteDeps, serve } from './route.ts'

interface Deps extends RouteDeps {
  readonly database: Database
  readonly mask: NameMask
}

export function addBoards(app: FastifyInstance, deps: Deps): void {
  const { authenticator, database, mask } = deps

  function serveAll<C extends Endpoint>(endpoint: C, read: () => Promise<AnswerOfEndpoint<C>>): void {
    serve(app, deps, endpoint, shared(read))
  }

  serveAll(ENDPOINTS.recentAttempts, () => recentAttempts(database, mask))
  serveAll(ENDPOINTS.leaderboard, () => leaderboard(database, mask))
  serveAll(ENDPOINTS.prizePool, () => prizePool(database, mask))

  serve(app, deps, ENDPOINTS.myAttempts, async ({ caller }) => {
    const state = caller && (caller.state ?? (await authenticator.authenticate(caller.credentials)))
    return state ? attemptsOf(database, state.playerId) : { attempts: [] }
  })
}
