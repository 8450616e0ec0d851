import type { Env } from '../../env.ts'
import { urlOf } from '../../http/listen.ts'
import { VERSION } from '../../lib/version.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** A server that takes longer is not well. */
const TIMEOUT_MS = 5_000

/** What a server tells that runs with the same settings on this machine. */
export const SERVER: readonly Check<Env>[] = [
  { name: 'server', look: server },
  { name: 'proxies', look: proxies },
]

/** What /healthz answers; servers of other programs may answer anything. */
interface Health {
  readonly status?: string
  /** Servers of the first releases do not tell it. */
  readonly version?: string
}

async function server(env: Env): Promise<Finding> {
  const health = await ask(env, '/healthz')
  if (!health) return warn(`none answers at ${addressOf(env)}`)
  const { status, version } = await readHealth(health)
  if (status !== 'ok') return warn(`something else than TAPS answers at ${addressOf(env)}`)
  const words = `${version ?? 'an earlier version'} at ${addressOf(env)}`
  const ready = await ask(env, '/readyz')
  if (!ready?.ok) return fail(`${words} is not ready${await reasonOf(ready)}`, { version })
  if (version !== VERSION)
    return warn(`${words} is ready, but not of this version: start it anew`, { version })
  return ok(`${words} is ready`, { version })
}

async function readHealth(answer: Response): Promise<Health> {
  return readObject(answer)
}

/** Why a server is not ready, in its own words. */
async function reasonOf(answer: Response | null): Promise<string> {
  const { title }: { title?: unknown } = answer ? await readObject(answer) : {}
  return typeof title === 'string' ? `: ${title}` : ''
}

async function readObject(answer: Response): Promise<object> {
  const body: unknown = await answer.json().catch(() => null)
  return typeof body === 'object' && body !== null ? body : {}
}

/** Which proxies passed requests on to the server since it was started. */
async function proxies(env: Env): Promise<Finding> {
  const figures = await ask(env, '/metrics')
  if (!figures) return warn('not known while no server runs')
  if (!figures.ok) return warn(`not known: METRICS does not let us read the figures (${figures.status})`)
  const text = await figures.text()
  const [believed, others] = [forwarded(text, 'yes'), forwarded(text, 'no')]
  if (believed === null || others === null) return warn('not known: this server does not count them')
  const data = { believed, others }
  if (others > 0) {
    return warn(
      `${others} requests say that a proxy passed them on which TRUST_PROXY does not name; ${believed} came by one that it names`,
      data,
    )
  }
  return ok(believed > 0 ? `${believed} requests came by those of TRUST_PROXY` : 'none seen', data)
}

/** How many requests were passed on by a proxy that is believed or not; null when it is not told. */
function forwarded(figures: string, believed: 'yes' | 'no'): number | null {
  const line = new RegExp(`^taps_forwarded_requests_total\\{believed="${believed}"\\} (\\d+)$`, 'm')
  const [, count] = line.exec(figures) ?? []
  return count === undefined ? null : Number(count)
}

/** Null when nobody answers. */
function ask(env: Env, path: string): Promise<Response | null> {
  const token = typeof env.metrics === 'string' ? null : env.metrics.token
  return fetch(`${addressOf(env)}${path}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
}

function addressOf({ host, port }: Env): string {
  return urlOf(host, port)
}
