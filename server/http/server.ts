import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { Outage } from '../database/outage.ts'
import { lineWriter, logOutput, ORIGIN, serializeError } from '../log.ts'
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
    serverFactory: () => createHttpServer(TIMEOUTS).setTimeout(SILENCE_MS),
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
    refuseUnsafe(request)
    done()
  })
  return app
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
