import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { LIVE_PARTS } from '../contract/live.ts'
import { refuseCrossSiteCall } from './http/cross-site.ts'
import { guard } from './http/edge.ts'
import { answerCounter } from './http/metrics.ts'
import { addOpenApi } from './http/openapi.ts'
import { addOperations } from './http/operations.ts'
import { addPage } from './http/static.ts'
import type { Visitor } from './routes/callers.ts'
import { addressKey } from './limits/address.ts'
import { Problem } from './problem.ts'
import { addAccounts } from './routes/accounts.ts'
import { addBoards } from './routes/boards.ts'
import { addPlay } from './routes/play.ts'
import type { Services } from './services.ts'

/** Retry-After while no stream is free, in seconds: of many, one ends about that often. */
const STREAMS_RETRY_S = 10

/** For the OpenAPI document only: nothing validates a stream. */
const LIVE_SCHEMA = {
  summary: `The live stream: events ${LIVE_PARTS.join(', ')}, each with the body of its GET`,
  response: {
    200: { description: 'Server-sent events', content: { 'text/event-stream': { schema: Type.String() } } },
  },
}

/** Adds every route, and the hooks that guard them. */
export async function addRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { env, limits, live, metrics, passwordHasher, readiness, securityLog } = services
  guard(app, services)
  const count = answerCounter(metrics, env)
  app.addHook('onResponse', (request, reply, done) => {
    count(request, reply)
    done()
  })
  // Not 'onResponse', which comes for nobody who closes the connection before the answer.
  app.addHook('onSend', (request, reply, _payload, done) => {
    securityLog.note(request, reply.statusCode)
    done()
  })
  // Open streams, and passwords that wait to be hashed, would keep the server from closing.
  app.addHook('preClose', async () => {
    live.close()
    passwordHasher.close()
  })
  app.setNotFoundHandler(request => {
    limits.charge('calls', addressKey(request.ip))
    throw new Problem('not_found')
  })
  await addOpenApi(app, limits)
  await app.register(async calls => {
    // Callbacks rather than promises, as in app.ts.
    calls.addHook('onRequest', (request, _reply, done) => {
      refuseCrossSiteCall(request)
      readiness.require()
      done()
    })
    for (const add of [addPlay, addAccounts, addBoards, addLive]) add(calls, services)
  })
  addOperations(app, services)
  await addPage(app, env)
}

function addLive(app: FastifyInstance, services: Services): void {
  const { limits, live, visitors, streams, streamsOfPlayer } = services

  /** Takes room for one more stream of a caller and of their address; returns what releases it, or null when full. */
  function acquire(caller: Visitor | null, address: string): (() => void) | null {
    const shared = streams.acquire(address)
    if (!shared || !caller) return shared
    const own = streamsOfPlayer.acquire(caller.player)
    if (!own) {
      shared()
      return null
    }
    return () => {
      own()
      shared()
    }
  }

  app.get('/api/live', { exposeHeadRoute: false, schema: LIVE_SCHEMA }, async (request, reply) => {
    const address = addressKey(request.ip)
    const caller = await visitors.find(request)
    limits.charge('calls', address, caller?.player)
    if (!live.ready) throw new Problem('unavailable', { retryAfter: 1 })
    // The viewer has left, or still waits for another answer on this connection: 'close' may never release the room.
    if (reply.raw.destroyed || !reply.raw.socket) throw new Problem('invalid_request')
    const release = acquire(caller, address)
    if (!release) throw new Problem('too_many_requests', { retryAfter: STREAMS_RETRY_S })
    reply.raw.once('close', release)
    reply.hijack()
    live.add(reply.raw, reply.getHeaders())
  })
}
