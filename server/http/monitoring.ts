import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VERSION } from '../lib/project.ts'
import type { Readiness } from '../live/readiness.ts'
import { Problem } from '../problem.ts'
import type { Env } from '../settings.mjs'
import type { Metrics } from './metrics.ts'
import { isLocal } from './proxies.ts'

interface Options {
  readonly env: Pick<Env, 'metrics'>
  readonly metrics: Pick<Metrics, 'registry'>
  readonly readiness: Pick<Readiness, 'check'>
}

export function addMonitoring(app: FastifyInstance, { env, metrics, readiness }: Options): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok', version: VERSION }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await readiness.check()
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireReader(env.metrics, request, reply)
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

/** @throws {Problem} not_found, as for an unknown path, or metrics_token */
function requireReader(access: Env['metrics'], request: FastifyRequest, reply: FastifyReply): void {
  if (access === 'open') return
  if (access === 'local') {
    if (isLocal(request)) return
    throw new Problem('not_found')
  }
  if (isSame(bearerToken(request), access.token)) return
  reply.header('www-authenticate', 'Bearer')
  throw new Problem('metrics_token')
}

/** Reads the token; the scheme's name has no case (RFC 9110). */
function bearerToken({ headers: { authorization = '' } }: FastifyRequest): string {
  return /^bearer +(.*)$/i.exec(authorization)?.[1] ?? ''
}

/** Compares hashes, because `timingSafeEqual` needs texts of equal length. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
