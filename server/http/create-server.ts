import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { logOutageOnce } from '../database/outage-log.ts'
import type { Env } from '../env.ts'
import { lineWriter, ORIGIN, serializeError } from '../log.ts'
import { Problem } from '../problem.ts'
import { answerClientError } from './client-error.ts'
import { refuseCrossSite } from './cross-site.ts'
import { answerError } from './error-handler.ts'
import { headerAdder } from './headers.ts'
import { secureCheck, unknownAddressWarning, unknownProxyWarning } from './secure.ts'

const WHOLE_ADDRESS = /^https?:\/\/[^/?#]*/i

/** Far above any body that can succeed. */
const MAX_BODY_BYTES = 8 * 1_024
/** Two passwords of brackets hold 512. 4,000 arrays in one another take 1.5 ms to parse. */
const MAX_BRACKETS = 600

/** Every wait on a connection is bounded, ms. */
const TIMEOUTS = {
  /** A whole request must arrive within this. */
  requestTimeout: 15_000,
  /** Longer than most pauses between two rounds, so that Start rarely waits for a new connection. */
  keepAliveTimeout: 75_000,
  /** A connection on which nothing moved for this long ends; a live stream is quiet for 40 s at most, two of its pings. */
  connectionTimeout: 45_000,
  http: {
    /** A request's head must arrive within this. */
    headersTimeout: 15_000,
    /** How often Node checks both. */
    connectionsCheckingInterval: 5_000,
    // Node would refuse a missing Host itself, without our headers.
    requireHostHeader: false,
  },
}

/** The last answers get this long at a close; the rest of 10 s is for stopping the database in order. */
const LAST_ANSWERS_MS = 5_000

/** Where log lines are written. */
export interface LogStream {
  write(line: string): void
}

const AJV: FastifyHttpOptions<RawServerDefault>['ajv'] = {
  customOptions: {
    // TypeBox makes the schemas; checking them against the meta-schema would add 40 ms to every start.
    validateSchema: false,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    // Three decimals are not exact in binary; this tolerance is far below the next decimal.
    multipleOfPrecision: 6,
  },
}

/**
 * Creates the server without its routes: limits, logger, hooks of every request, error handler.
 *
 * @param log where log lines go; standard output by default
 */
export function createServer(env: Env, log?: LogStream): FastifyInstance {
  const addHeaders = headerAdder(secureCheck(env))
  const app = Fastify({
    logger: {
      level: env.logLevel,
      base: ORIGIN,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      hooks: { streamWrite: lineWriter(env.logFormat), logMethod: logOutageOnce() },
      serializers: { err: serializeError },
      ...(log && { stream: log }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    // A line that needs the request's id names it; a child logger for each request would cost 3 % of all processor time.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    // A request line may hold an absolute URL, as one sent to a proxy does; only the path counts.
    rewriteUrl: ({ url = '/' }) => url.replace(WHOLE_ADDRESS, '') || '/',
    // No call takes a query, and one of 3,900 parameters takes long to parse.
    routerOptions: { querystringParser: () => ({}) },
    requestIdHeader: false,
    trustProxy: env.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    ...TIMEOUTS,
    clientErrorHandler: answerClientError,
    // Requests that arrive during shutdown are still served; the database closes last.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // Hooks do not run for a URL that cannot be parsed.
      addHeaders(request, reply)
      answerError(error, request, reply)
    },
    ajv: AJV,
  })
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS).unref()
  })
  readJsonOnly(app)
  app.decorateRequest('problem', null)
  app.setErrorHandler(answerError)
  const refuse = refuseCrossSite(env.publicUrl)
  const warnings = [unknownProxyWarning(env), unknownAddressWarning()]
  // Callbacks rather than promises: each promise on the way to an answer costs a turn of the event loop.
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    for (const warn of warnings) warn(request)
    requireHost(request)
    refuse(request)
    done()
  })
  return app
}

/** Accepts JSON bodies only. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients name a content type even for an empty body.
    if (body === '') return done(null, undefined)
    const text = body.toString()
    if (text.split(/[[{]/, MAX_BRACKETS).length === MAX_BRACKETS) return done(new Problem('invalid_request'))
    parseJson(request, text, done)
  })
}

/** RFC 9112, section 3.2: HTTP/1.1 needs a Host, and no request may have two. */
function requireHost({ raw: { rawHeaders, httpVersion } }: FastifyRequest): void {
  // Node keeps only the first of several.
  const hosts = rawHeaders.filter(
    (text, n) => n % 2 === 0 && text.length === 4 && /^host$/i.test(text),
  ).length
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) throw new Problem('invalid_request')
}
