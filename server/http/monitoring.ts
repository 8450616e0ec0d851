import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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

/** Compares hashes, because `timingSafeEqual` needs texts of equal length. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
