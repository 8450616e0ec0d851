import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Readiness } from '../database/readiness.ts'
import type { Env, MetricsAccess } from '../env.ts'
import { VERSION } from '../lib/version.ts'
import { addressKey } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
import { addressMatcher } from '../limits/networks.ts'
import { Problem } from '../problem.ts'
import type { Metrics } from './metrics.ts'

/** What a proxy adds to what it passes on; without one of these a request has come straight to us. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

const isLoopback = addressMatcher(['loopback'])

interface Options {
  readonly env: Pick<Env, 'metrics'>
  readonly limits: Pick<Limiter, 'take'>
  readonly metrics: Pick<Metrics, 'registry'>
  readonly readiness: Pick<Readiness, 'check'>
}

/** For operators: liveness, readiness, metrics. */
export function addOperations(app: FastifyInstance, { env, limits, metrics, readiness }: Options): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok', version: VERSION }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await readiness.check()
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const address = addressKey(request.ip)
    if (!mayRead(env.metrics, request)) {
      // The same answer as for an unknown path gives nothing away; the same limit makes guessing a token slow.
      limits.take('misses', address)
      throw new Problem('not_found')
    }
    // Of its own: without TRUST_PROXY whoever comes through a proxy of this machine has the address of whoever looks here.
    limits.take('metrics', address)
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

function mayRead(access: MetricsAccess, request: FastifyRequest): boolean {
  if (access === 'open') return true
  if (access === 'local') return isLocal(request)
  return isSame(request.headers.authorization ?? '', `Bearer ${access.token}`)
}

/** True for a request from this machine that no proxy passed on, nor a page whose name was pointed here (DNS rebinding). */
function isLocal({ headers, hostname, socket }: FastifyRequest): boolean {
  if (!isLoopback(socket.remoteAddress ?? '')) return false
  if (FORWARDING.some(name => headers[name] !== undefined)) return false
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** Compares in constant time; hashes have one length, as `timingSafeEqual` needs. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
