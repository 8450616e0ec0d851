import { gameId } from '../database/fingerprint.ts'
import type { Env } from '../env.ts'
import { urlOf } from '../http/listen.ts'
import { VERSION } from '../lib/version.ts'
import { secretInUse } from '../secret.ts'
import { type CheckResult, fail, ok, warn } from './check-result.ts'

const TIMEOUT_MS = 5_000

/** Checks the server that runs here with these settings. */
export async function checkServer(env: Env): Promise<CheckResult[]> {
  const place = urlOf(env.host, env.port)
  const figures = await ask(env, '/metrics')
  if (!figures) return [warn(`no server answers at ${place}`)]
  const text = await figures.text()
  const [, version, game] = /^taps_build_info\{version="([^"]*)",.*game="(\w+)"\} 1$/m.exec(text) ?? []
  if (!version) return [warn(`the server at ${place} is not TAPS or has other METRICS settings`)]
  const ours = await secretInUse(env).then(gameId, () => null)
  if (game !== ours) return [fail(`another game answers at ${place}, with a different secret`)]
  const message = `${version} at ${place}`
  const ready = await ask(env, '/readyz')
  if (!ready?.ok) return [fail(`${message} is not ready${await reasonOf(ready)}`)]
  const result =
    version === VERSION ? ok(`${message} is ready`) : warn(`${message} runs another version; restart it`)
  return [result, ...proxies(env, text)]
}

/**
 * Checks that `TRUST_PROXY` names the proxy, because otherwise all visitors share the limits of one address.
 * Fails only when `PUBLIC_URL` is set, because clients can forge the header.
 */
function proxies({ publicUrl }: Env, figures: string): CheckResult[] {
  const [trusted, untrusted] = ['yes', 'no'].map(believed => {
    const [, count] =
      new RegExp(`^taps_forwarded_requests_total\\{believed="${believed}"\\} (\\d+)$`, 'm').exec(figures) ??
      []
    return Number(count ?? 0)
  })
  if (!untrusted) return []
  const message = `${untrusted} requests came through a proxy that TRUST_PROXY does not name`
  return [publicUrl !== null && !trusted ? fail(message) : warn(message)]
}

/** Returns the reason in the server's answer. */
async function reasonOf(answer: Response | null): Promise<string> {
  const body: unknown = await answer?.json().catch(() => null)
  const hasTitle = typeof body === 'object' && body !== null && 'title' in body
  return hasTitle ? `: ${body.title}` : ''
}

function ask(env: Env, path: string): Promise<Response | null> {
  const token = typeof env.metrics === 'string' ? null : env.metrics.token
  return fetch(`${urlOf(env.host, env.port)}${path}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
}
