import { createServer, type RequestListener, type Server } from 'node:http'
import type { Env } from '../env.ts'
import { answerClientErrors } from './client-error.ts'
import { boundConnections } from './connections.ts'
import { Pipelines } from './pipelines.ts'

/** A whole request must arrive within this; Node looks at half-arrived ones this often. */
const REQUEST_TIMEOUT_MS = 15_000
const CHECK_INTERVAL_MS = 5_000
/** Longer than a player thinks between two rounds, so that Start rarely pays for a new connection. */
const KEEP_ALIVE_MS = 75_000
/** Nothing has moved on a connection, in either direction, for longer than a live stream is ever quiet. */
const STANDSTILL_MS = 120_000

/** Makes the server that requests come through: every wait is bounded, and so is what one connection can ask for. */
export function createHttpServer(serve: RequestListener, env: Env): Server {
  const pipelines = new Pipelines()
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would refuse a missing Host by itself, without our headers.
    requireHostHeader: false,
  }
  const server = createServer(options, pipelines.inTurn(serve))
  server.setTimeout(STANDSTILL_MS)
  answerClientErrors(server, pipelines)
  boundConnections(server, env)
  return server
}
