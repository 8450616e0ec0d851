import type { FastifyBaseLogger } from 'fastify'

/** What every part of the server writes its log lines to: pino, by way of Fastify. */
export type Logger = FastifyBaseLogger
