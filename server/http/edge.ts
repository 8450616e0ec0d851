import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CONNECTIONS } from '../../contract/limits.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { addressKey, addressMatcher, clientAddress } from '../limits/address.ts'
import type { ConcurrencyLimit } from '../limits/concurrency.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Env } from '../settings.mjs'
import { problemAnswer } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { isPublicRead, limitKeyOf, PUBLIC_HEADERS } from './public-reads.ts'

/** The most headers per request; browsers and proxies send about forty. */
const MAX_HEADERS = 100

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
export function guard(app: FastifyInstance, { connectionLimit, env, limits, metrics }: Deps): void {
  const { server } = app
  const proxies = env.trustProxy || []
  const isProxy = addressMatcher(proxies)
  const addressOf = clientAddress(proxies)
  const answers = new WeakMap<Socket, ServerResponse>()
  const waitOf = (key: string) => {
    const waitS = limits.tryTake(['requests', key])
    if (waitS > 0) metrics.refused.inc()
    return waitS
  }

  boundConnections(server, connectionLimit, isProxy)
  // Reads one header beyond the limit to detect an excess, because Node silently drops further headers.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.on('request', (request, response) => {
    const { socket, rawHeaders } = request
    const { remoteAddress = '' } = socket
    answers.set(socket, response)
    closeUnlessComplete(request, response)
    const hasTooManyHeaders = rawHeaders.length > 2 * MAX_HEADERS
    const waitS = waitOf(
      hasTooManyHeaders ? addressKey(remoteAddress) : limitKeyOf(request, addressOf(request)),
    )
    if (waitS === 0 && !hasTooManyHeaders) return app.routing(request, response)
    // Closes the connection: the dropped headers may contain a body's length.
    if (hasTooManyHeaders || !isProxy(remoteAddress)) response.shouldKeepAlive = false
    if (waitS > 0) refuse(response, 'too_many_requests', { ...publicHeaders(request), 'retry-after': waitS })
    else refuse(response, 'headers_too_large')
  })
  // Ignores an unknown Expect header. Node's own answer fails an assertion when many such requests are
  // pipelined.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.prependListener('clientError', (_, socket: Socket) => {
    const { remoteAddress = '' } = socket
    const isAnswering = answers.get(socket)?.writableFinished === false
    if (isAnswering || (!isProxy(remoteAddress) && waitOf(addressKey(remoteAddress)) > 0)) socket.destroy()
  })
}

function boundConnections(
  server: Server,
  limit: ConcurrencyLimit,
  isProxy: (address: string) => boolean,
): void {
  server.maxConnections = CONNECTIONS.ofAll
  server.on('connection', socket => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return void socket.destroy()
    if (isProxy(remoteAddress)) return
    const release = limit.acquire(addressKey(remoteAddress))
    if (release) socket.once('close', release)
    else socket.destroy()
  })
}

/**
 * Closes the connection when an answer is sent before the request's body has arrived. Otherwise HAProxy 2.6
 * would send the next visitor's request in place of the missing bytes.
 */
function closeUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && (length === undefined || length === '0')) return
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false
    return writeHead(...head)
  }
}

function publicHeaders({ method, url = '' }: IncomingMessage): object {
  return isPublicRead(method, url.split('?')[0]) ? PUBLIC_HEADERS : {}
}

function refuse(response: ServerResponse, code: ProblemCode, more: object = {}): void {
  const { status, headers, content } = problemAnswer(code)
  response.writeHead(status, { ...headers, ...more }).end(content)
}
