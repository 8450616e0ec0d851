import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { CONNECTIONS } from '../../contract/limits.ts'
import { addressKey, addressMatcher, clientAddress } from '../limits/address.ts'
import type { ConcurrencyLimit } from '../limits/concurrency.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Env } from '../settings.mjs'
import { isForeignRead, isPublicRead, PUBLIC_HEADERS } from './cross-site.ts'
import { problemAnswer } from './errors.ts'
import type { Metrics } from './metrics.ts'

interface Deps {
  readonly connectionLimit: ConcurrencyLimit
  readonly env: Pick<Env, 'trustProxy'>
  readonly limits: Pick<Limiter, 'tryTake'>
  readonly metrics: Pick<Metrics, 'refused'>
}

/**
 * Limits the connections and requests of each client address, before they reach the framework. Call before
 * the server listens.
 */
export function limitClients(app: FastifyInstance, { connectionLimit, env, limits, metrics }: Deps): void {
  const { server } = app
  const proxies = env.trustProxy || []
  const isProxy = addressMatcher(proxies)
  const addressOf = clientAddress(proxies)

  server.maxConnections = CONNECTIONS.ofAll
  server.on('connection', socket => {
    const { remoteAddress = '' } = socket
    if (isProxy(remoteAddress)) return
    const release = connectionLimit.acquire(addressKey(remoteAddress))
    if (release) socket.once('close', release)
    else socket.destroy()
  })
  server.on('request', (request, response) => {
    closeUnlessComplete(request, response)
    const isPublic = isPublicRead(request.method, request.url?.split('?')[0])
    const limit = isPublic && isForeignRead(request) ? 'reads' : 'requests'
    const waitS = limits.tryTake(limit, addressKey(addressOf(request)))
    if (waitS === 0) return app.routing(request, response)
    metrics.refused.inc()
    if (!isProxy(request.socket.remoteAddress ?? '')) response.shouldKeepAlive = false
    const { status, headers, content } = problemAnswer('too_many_requests')
    const more = isPublic ? PUBLIC_HEADERS : {}
    response.writeHead(status, { ...headers, ...more, 'retry-after': `${waitS}` }).end(content)
  })
}

/**
 * Closes the connection when an answer is sent before the request's body has been read. Otherwise HAProxy 2.6
 * would send the next visitor's request in place of the missing bytes.
 */
function closeUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && (length === undefined || length === '0')) return
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive
  })
}
