import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { type AnswerOfEndpoint, ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { LIVE_PARTS } from '../../contract/live.ts'
import { isForeignRead } from '../http/cross-site.ts'
import { shared } from '../lib/batch.ts'
import { addressKey } from '../limits/address.ts'
import { recentAttempts } from '../play/attempts.ts'
import { leaderboard } from '../play/leaderboard.ts'
import { prizePool } from '../play/prizes.ts'
import { today } from '../play/today.ts'
import { Problem } from '../problem.ts'
import { type Services, serve } from './route.ts'

/** Retry-After, in seconds, when the limit of streams is reached. */
const STREAMS_RETRY_S = 10

/** The schema for the OpenAPI document only; nothing validates a stream. */
const SCHEMA = {
  operationId: 'live',
  tags: ['boards'],
  summary: `The live stream: events ${LIVE_PARTS.join(', ')}, each with the body of its GET`,
  description:
    'The first write contains all these events and a ping with the server time; after that, an event is sent only when its data has changed, and a ping every 20 s shows that the stream is alive.',
  response: {
    200: {
      description: 'Server-sent events',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
  },
}

export function addBoards(app: FastifyInstance, services: Services): void {
  const { broadcast, database, names, streamLimit } = services

  function serveAll<C extends Endpoint>(endpoint: C, read: () => Promise<AnswerOfEndpoint<C>>): void {
    serve(app, services, endpoint, shared(read))
  }

  serveAll(ENDPOINTS.recentAttempts, () => recentAttempts(database, names.mask))
  serveAll(ENDPOINTS.leaderboard, () => leaderboard(database, names.mask))
  serveAll(ENDPOINTS.today, () => today(database, names.mask))
  serveAll(ENDPOINTS.prizePool, () => prizePool(database, names.mask))

  app.get('/api/live', { exposeHeadRoute: false, schema: SCHEMA }, async (request, reply) => {
    if (broadcast.isClosed) throw new Problem('unavailable', { retryAfter: 1 })
    // Refuses a request on a connection that still awaits another answer, because 'close' might never release
    // the stream.
    if (!reply.raw.socket) throw new Problem('invalid_request')
    const address = addressKey(request.ip)
    const release = streamLimit.acquire(isForeignRead(request) ? `foreign ${address}` : address)
    if (!release) throw new Problem('too_many_requests', { retryAfter: STREAMS_RETRY_S })
    reply.raw.once('close', release)
    reply.hijack()
    broadcast.add(reply.raw, reply.getHeaders())
  })
}
