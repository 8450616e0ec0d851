import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { logOutageOnce } from './database/away.ts'
import type { Env } from './env.ts'
import { answerClientError } from './http/client-error.ts'
import { closeConnectionsOnClose } from './http/closing.ts'
import { TIMEOUTS } from './http/connections.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { answerError } from './http/error-handler.ts'
import { headerAdder } from './http/headers.ts'
import { secureCheck, unknownAddressWarning, unknownProxyWarning } from './http/secure.ts'
import { brief, ORIGIN, write } from './log.ts'
import { Problem } from './problem.ts'

const WHOLE_ADDRESS = /^https?:\/\/[^/?#]*/i

/** The largest body of the contract is far below this. */
const MAX_BODY_BYTES = 8 * 1_024

/** Takes log lines. */
export interface LogStream {
  write(line: string): void
}

const AJV: FastifyHttpOptions<RawServerDefault>['ajv'] = {
  customOptions: {
    // The schemas are TypeBox's; to compare them with the schema of schemas takes 40 ms of every start.
    validateSchema: false,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    // 3 decimals are not exact in binary; this much slack is far below the next decimal.
    multipleOfPrecision: 6,
  },
}

/**
 * The server without its routes: its limits, its logger, the hooks of every request and its one error handler.
 *
 * @param log where log lines go; standard output by default
 */
export function createApp(env: Env, log?: LogStream): FastifyInstance {
  const addHeaders = headerAdder(secureCheck(env))
  const app = Fastify({
    logger: {
      level: env.logLevel,
      base: ORIGIN,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      hooks: { streamWrite: write(env.logFormat), logMethod: logOutageOnce() },
      serializers: { err: brief },
      ...(log && { stream: log }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged of a request names it; a logger for each request would take 3 % of the time of all.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    // A request line may name a whole address, as it would to a proxy; what counts is the path.
    rewriteUrl: ({ url = '/' }) => url.replace(WHOLE_ADDRESS, '') || '/',
    requestIdHeader: false,
    trustProxy: env.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    ...TIMEOUTS,
    // Node would refuse a missing Host by itself, without our headers.
    http: { ...TIMEOUTS.http, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    // What arrives while the server closes is still served; the database goes last.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // No hook runs for an address that cannot be read.
      addHeaders(request, reply)
      answerError(error, request, reply)
    },
    ajv: AJV,
  })
  closeConnectionsOnClose(app)
  readJsonOnly(app)
  app.decorateRequest('problem', null)
  app.setErrorHandler(answerError)
  const refuse = refuseCrossSite(env.publicUrl)
  const warnings = [unknownProxyWarning(env), unknownAddressWarning()]
  // Hooks that promise nothing: every promise in the way of an answer is another turn of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    for (const warn of warnings) warn(request)
    requireHost(request)
    refuse(request)
    done()
  })
  return app
}

/** A body, if there is one, is JSON. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients name a type even when they send nothing.
    if (body === '') return done(null, undefined)
    parseJson(request, body.toString(), done)
  })
}

/** RFC 9112, section 3.2: without a Host a request of HTTP/1.1 is not valid, and with two no request is. */
function requireHost({ raw: { rawHeaders, httpVersion } }: FastifyRequest): void {
  // Node keeps the first of several.
  const hosts = rawHeaders.filter(
    (text, n) => n % 2 === 0 && text.length === 4 && /^host$/i.test(text),
  ).length
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new Problem('invalid_request')
}
