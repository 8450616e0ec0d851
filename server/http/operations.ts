import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { VERSION } from '../lib/project.ts'
import { addressMatcher } from '../limits/address.ts'
import type { Readiness } from '../live/readiness.ts'
import { Problem } from '../problem.ts'
import type { Env } from '../settings.mjs'
import type { Metrics } from './metrics.ts'
import { isForwarded } from './secure.ts'

const isLoopback = addressMatcher(['loopback'])

interface Options {
  readonly env: Pick<Env, 'metrics'>
  readonly metrics: Pick<Metrics, 'registry'>
  readonly readiness: Pick<Readiness, 'check'>
}

export function addOperations(app: FastifyInstance, { env, metrics, readiness }: Options): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok', version: VERSION }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await readiness.check()
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    // Answers as for an unknown path, to reveal nothing.
    if (!mayRead(env.metrics, request)) throw new Problem('not_found')
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

function mayRead(access: Env['metrics'], request: FastifyRequest): boolean {
  if (access === 'open') return true
  if (access === 'local') return isLocal(request)
  return isSame(request.headers.authorization ?? '', `Bearer ${access.token}`)
}

/** Returns whether a request came from this machine, neither through a proxy nor by DNS rebinding. */
export function isLocal({ headers, hostname, socket }: FastifyRequest): boolean {
  const { localAddress, remoteAddress = '' } = socket
  if (!isLoopback(remoteAddress) && remoteAddress !== localAddress) return false
  if (isForwarded(headers)) return false
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** Compares hashes, because `timingSafeEqual` needs texts of equal length. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
