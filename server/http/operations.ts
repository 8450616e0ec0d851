import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MetricsAccess } from '../env.ts'
import { addressKey } from '../limits/address.ts'
import { membership } from '../limits/networks.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** What a proxy adds to what it passes on; without one of these a request has come straight to us. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

const isLoopback = membership(['loopback'])

/** For operators: liveness, readiness, figures. */
export function addOperations(app: FastifyInstance, { env, limits, metrics, readiness }: Services): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await readiness.check()
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    limits.take('documents', addressKey(request.ip))
    if (!mayRead(env.metrics, request)) {
      // Nobody learns that there is something, and guessing a token is as slow as scanning.
      limits.take('misses', addressKey(request.ip))
      throw new Problem('not_found')
    }
    reply.type(metrics.registry.contentType)
    return metrics.text()
  })
}

function mayRead(access: MetricsAccess, request: FastifyRequest): boolean {
  if (access === 'open') return true
  if (access === 'local') return isLocal(request)
  return isSame(request.headers.authorization ?? '', `Bearer ${access.token}`)
}

/** True for what was asked on this machine by its address, and not by a page whose own name was pointed at it. */
function isLocal({ headers, hostname, socket }: FastifyRequest): boolean {
  if (!isLoopback(socket.remoteAddress ?? '') || FORWARDING.some(name => headers[name] !== undefined))
    return false
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** Takes as long for any two texts: hashes of one length are compared. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
