import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type Server } from 'node:http'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { PROBLEMS } from '../../contract/problems.ts'
import { Outage } from '../database/outage.ts'
import { lineWriter, logOutput, ORIGIN, serializeError } from '../log.ts'
import { Problem } from '../problem.ts'
import type { Env } from '../settings.mjs'
import { unsafeRequestCheck } from './cross-site.ts'
import { answerClientError, answerError, errorHandler } from './errors.ts'
import { headerAdder } from './headers.ts'
import { secureCheck, unknownProxyWarning } from './proxies.ts'

const MAX_BODY_BYTES = 8 * 1_024

const TIMEOUTS = {
  requestTimeout: 15_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  /** The longest idle time of a connection: above most pauses between two rounds. */
  keepAliveTimeout: 75_000,
}
/** The longest silence allowed; a live stream is quiet for at most two ping intervals (40 s). */
const SILENCE_MS = 45_000

/** The time that a shutdown waits for the last answers; leaves 5 s for the database. */
const LAST_ANSWERS_MS = 5_000

declare module 'fastify' {
  interface FastifyInstance {
    readonly outage: Outage
  }
}

export interface LogStream {
  write(line: string): void
}

const AJV: FastifyHttpOptions<RawServerDefault>['ajv'] = {
  customOptions: {
    // Saves 40 ms at every start; TypeBox's schemas are always valid.
    validateSchema: false,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    // Allows for three decimals, which are not exact in binary.
    multipleOfPrecision: 6,
  },
}

/** Creates the server without routes. Requests reach it through `limitClients`. */
export function createServer(env: Env, log: LogStream = logOutput): FastifyInstance {
  const outage = new Outage()
  const addHeaders = headerAdder(secureCheck(env))
  const app = Fastify({
    logger: {
      level: env.logLevel,
      base: ORIGIN,
      hooks: { streamWrite: lineWriter(env.logFormat), logMethod: outage.logMethod },
      serializers: { err: serializeError },
      stream: log,
    },
    logController: new LogController({ disableRequestLogging: true }),
    // Shares one logger: child loggers would cost 3 % of processor time.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    // Ignores query strings: no endpoint takes one, and parsing is slow.
    routerOptions: { querystringParser: () => ({}) },
    trustProxy: env.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: openHttpServer,
    clientErrorHandler: answerClientError,
    // Serves requests that arrive during shutdown, because the database closes last.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // Adds the headers here, because hooks do not run for a URL that cannot be parsed.
      addHeaders(request, reply)
      answerError(error, request, reply)
    },
    ajv: AJV,
  })
  app.addHook('preClose', async () => {
    // Closes each connection right after the answer in progress.
    app.server.keepAliveTimeout = 1
    setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS).unref()
  })
  readJsonOnly(app)
  app.decorate('outage', outage)
  app.setErrorHandler(errorHandler(outage))
  const warn = unknownProxyWarning(env)
  const refuseUnsafe = unsafeRequestCheck(env.publicUrl)
  // Uses a callback, because a promise costs an event loop turn.
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    warn(request)
    refuseUnreadable(request)
    refuseUnsafe(request)
    done()
  })
  return app
}

/** Opens a server that leaves to `refuseUnreadable` what Node would refuse with an empty answer. */
function openHttpServer(): Server {
  const server = createHttpServer({ ...TIMEOUTS, requireHostHeader: false }).setTimeout(SILENCE_MS)
  return server.on('checkExpectation', (...exchange) => server.emit('request', ...exchange))
}

/**
 * Refuses a request without a host, with an unknown expectation, or with an encoded body.
 *
 * @throws {Problem} invalid_request or unsupported_media_type
 */
function refuseUnreadable({ headers, raw }: FastifyRequest): void {
  const { host, expect, 'content-encoding': coding = 'identity' } = headers
  // HTTP/1.0 has neither header.
  if (raw.httpVersion !== '1.0') {
    if (host === undefined) throw invalid('the header Host is missing')
    if (expect !== undefined && !/100-continue/i.test(expect)) throw invalid('the header Expect is unknown')
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && coding.toLowerCase() !== 'identity') {
    const title = `${PROBLEMS.unsupported_media_type.title}, without a Content-Encoding`
    throw new Problem('unsupported_media_type', { title })
  }
}

function invalid(reason: string): Problem {
  return new Problem('invalid_request', { title: `${PROBLEMS.invalid_request.title}: ${reason}` })
}

function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Accepts an empty body, even with a content type.
    if (body === '') return done(null, undefined)
    parseJson(request, body.toString(), done)
  })
}
