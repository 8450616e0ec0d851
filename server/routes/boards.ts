import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { type AnswerOfEndpoint, ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { LIVE_PARTS } from '../../contract/live.ts'
import type { Database } from '../database/connection.ts'
import { shared } from '../lib/batch.ts'
import type { ConcurrencyLimit } from '../limits/concurrency.ts'
import type { Broadcast } from '../live/broadcast.ts'
import type { NameMask } from '../people/refused-names.ts'
import { attemptsOf, recentAttempts } from '../play/attempts.ts'
import { leaderboard } from '../play/leaderboard.ts'
import { prizePool } from '../play/prizes.ts'
import { Problem } from '../problem.ts'
import { identify, type RouteDeps, serve } from './route.ts'

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

/** Retry-After, in seconds, when a limit of streams is reached. */
const STREAMS_RETRY_S = 10

/** The schema for the OpenAPI document only; nothing validates a stream. */
const SCHEMA = {
  operationId: 'live',
  tags: ['boards'],
  summary: `The live stream: events ${LIVE_PARTS.join(', ')}, each with the body of its GET`,
  description:
    'The first write contains all three events; after that, an event is sent only when its data has changed. Every 20 s, a ping with the server time shows that the stream is alive.',
  response: {
    200: {
      description: 'Server-sent events',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
  },
}

interface LiveDeps extends RouteDeps {
  readonly broadcast: Broadcast
  readonly streamLimit: ConcurrencyLimit
}

export function addLive(app: FastifyInstance, deps: LiveDeps): void {
  const { broadcast, streamLimit } = deps

  app.get('/api/live', { exposeHeadRoute: false, schema: SCHEMA }, async (request, reply) => {
    const { limitKey } = await identify(deps, request, 'calls')
    if (!broadcast.ready) throw new Problem('unavailable', { retryAfter: 1 })
    // Refuses a viewer who has left, or whose connection still awaits another answer, because 'close' might
    // never release the stream.
    if (reply.raw.destroyed || !reply.raw.socket) throw new Problem('invalid_request')
    const release = streamLimit.acquire(limitKey)
    if (!release) throw new Problem('too_many_requests', { retryAfter: STREAMS_RETRY_S })
    reply.raw.once('close', release)
    reply.hijack()
    broadcast.add(reply.raw, reply.getHeaders())
  })
}
