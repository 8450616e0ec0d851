import { gameId } from '../database/fingerprint.ts'
import { urlOf } from '../http/listen.ts'
import { VERSION } from '../lib/project.ts'
import { secretInUse } from '../secret.ts'
import type { Env } from '../settings.mjs'

/** The result of one check: only `FAIL` makes `./taps doctor` fail. */
export interface CheckResult {
  readonly status: 'ok' | 'WARN' | 'FAIL'
  readonly message: string
}

export function ok(message: string): CheckResult {
  return { status: 'ok', message }
}

export function warn(message: string): CheckResult {
  return { status: 'WARN', message }
}

export function fail(message: string): CheckResult {
  return { status: 'FAIL', message }
}

const TIMEOUT_MS = 5_000

interface Metric {
  readonly name: string
  readonly values: readonly { readonly value: number; readonly labels: Readonly<Record<string, string>> }[]
}

/** Checks the server that runs here with these settings. */
export async function checkServer(env: Env): Promise<CheckResult[]> {
  const place = urlOf(env.host, env.port)
  const answer = await ask(env, '/metrics')
  if (!answer) return [warn(`no server answers at ${place}`)]
  const metrics = await readMetrics(answer)
  const build = metrics.find(({ name }) => name === 'taps_build_info')?.values[0]
  if (!build)
    return [warn(`the server at ${place} is not TAPS of this version, or has other METRICS settings`)]
  const { version, game } = build.labels
  const ours = await secretInUse(env).then(gameId, () => null)
  if (game !== ours) return [fail(`another game answers at ${place}, with a different secret`)]
  const message = `${version} at ${place}`
  const ready = await ask(env, '/readyz')
  if (!ready?.ok) return [fail(`${message} is not ready${await reasonOf(ready)}`)]
  return [
    version === VERSION ? ok(`${message} is ready`) : warn(`${message} runs another version; restart it`),
  ]
}

/** Reads the metrics as prom-client's JSON; empty when another program answers. */
async function readMetrics(answer: Response): Promise<readonly Metric[]> {
  const body: unknown = await answer.json().catch(() => null)
  return Array.isArray(body) ? body : []
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
    headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
}
