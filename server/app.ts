import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import type { ProblemBody } from '../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts'
import { isAway } from './database/pool.ts'
import type { Env } from './env.ts'
import { letGoOnClose } from './http/connections.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { headerAdder, safeHeaders } from './http/headers.ts'
import { createHttpServer } from './http/http-server.ts'
import { secureCheck } from './http/secure.ts'
import { errorCode } from './lib/files.ts'
import { brief, legible } from './log.ts'
import { Problem } from './problem.ts'

/** The largest body of the contract is far below this. */
const MAX_BODY_BYTES = 8 * 1_024
/** After which a client is told to come back while the database is away, in seconds. */
const AWAY_RETRY_S = 1

/** Takes log lines, each a line of JSON. */
export interface LogStream {
  write(line: string): void
}

/**
 * The bare server: its limits, its logger, its one error handler.
 *
 * @param log where log lines go; standard output unless somebody wants to read along
 */
export function createApp(env: Env, log?: LogStream): FastifyInstance {
  const addHeaders = headerAdder(safeHeaders(secureCheck(env)))
  const options: FastifyHttpOptions<RawServerDefault> = {
    logger: {
      level: env.logLevel,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      hooks: { streamWrite: legible },
      serializers: { err: brief },
      ...(log && { stream: log }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged of a request names it; a logger for each request would take 3 % of the time of all.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: env.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: serve => createHttpServer(serve, env),
    // The server answers what never becomes a request.
    clientErrorHandler: () => undefined,
    forceCloseConnections: 'idle',
    // What arrives while the server closes is still served; the database goes last.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // No hook runs for an address that cannot be read.
      addHeaders(request, reply)
      answerError(error, request, reply)
    },
    ajv: {
      customOptions: {
        // The schemas are TypeBox's; to compare them with the schema of schemas takes 40 ms of every start.
        validateSchema: false,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        // 3 decimals are not exact in binary; this much slack is far below the next decimal.
        multipleOfPrecision: 6,
      },
    },
  }
  const app = Fastify(options)
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients name a type even when they send nothing.
    if (body === '') done(null, undefined)
    else parseJson(request, body.toString(), done)
  })
  app.setErrorHandler(answerError)
  const refuse = refuseCrossSite(env.publicUrl)
  // Hooks that promise nothing: every promise in the way of an answer is another turn of the queue.
  app.addHook('onRequest', (request, _, done) => {
    refuseHostless(request)
    refuse(request)
    done()
  })
  app.addHook('onSend', (request, reply, _, done) => {
    addHeaders(request, reply)
    done()
  })
  letGoOnClose(app)
  return app
}

/** RFC 9112, section 3.2: without a Host a request of HTTP/1.1 is not valid. */
function refuseHostless({ raw }: FastifyRequest): void {
  if (raw.headers.host === undefined && raw.httpVersion !== '1.0') throw new Problem('invalid_request')
}

/** Turns every failure into problem+json; what is ours to fix is logged and named, never described. */
function answerError(
  error: FastifyError | Problem | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const problem = toProblem(error)
  if (!problem) request.log.error({ err: error, id: request.id, url: request.url }, 'a request failed')
  else if (problem.status >= 500) {
    // No stack: while the database is away this line comes hundreds of times a second, on a disk that may be full.
    const cause = error.cause ?? error
    request.log.warn(
      { reason: String(cause), code: errorCode(cause), id: request.id },
      'a request could not be served',
    )
  }
  const code: ProblemCode = problem?.code ?? 'internal'
  const { title, round, retryAfter } = problem?.details ?? {}
  const { status, title: sentence } = PROBLEMS[code]
  const body: ProblemBody = { status, code, title: title ?? sentence }
  if (round) body.round = round
  if (status >= 500) body.id = request.id
  if (retryAfter) reply.header('retry-after', retryAfter)
  reply.code(status).type('application/problem+json').send(body)
}

/** The refusal an error amounts to, or null for a failure of ours. */
function toProblem(error: FastifyError | Problem | Error): Problem | null {
  if (error instanceof Problem) return error
  if (isAway(error)) return new Problem('unavailable', { retryAfter: AWAY_RETRY_S })
  if (!('statusCode' in error) || !error.statusCode || error.statusCode >= 500) return null
  if ('validation' in error && error.validation) {
    return new Problem('invalid_request', { title: `${PROBLEMS.invalid_request.title}: ${error.message}` })
  }
  if (error.statusCode === 413) return new Problem('too_large')
  if (error.statusCode === 415) return new Problem('unsupported_media_type')
  if (error.statusCode === 404) return new Problem('not_found')
  return new Problem('invalid_request')
}
