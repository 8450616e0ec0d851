import type { AnswerOf, BodyOf, EndpointAt, Method, ProblemBody, Round, UrlOf } from '../contract/api.ts'
import { PAGE_PROBLEMS, type ProblemCode } from '../contract/problems.ts'

/** The timeout of a request: longer than the slowest answer, which waits in the queue of password checks. */
const REQUEST_TIMEOUT_MS = 10_000

export const UNREACHABLE = 'The server cannot be reached. Please try again.'

type AnswerAt<Of extends Method, Url> = Promise<Answer<AnswerOf<EndpointAt<Of, Url>>>>

/** The reason why a request was refused, was not answered or was not sent. */
export interface Problem {
  readonly ok: false
  readonly code: ProblemCode | 'network'
  readonly title: string
  /** The current round, if the request named an outdated round; otherwise null. */
  readonly round: Round | null
  readonly retryAfterMs: number
}

export type Answer<Body> = { readonly ok: true; readonly body: Body } | Problem

export type Credentials = BodyOf<'createAccount'>

/** Calls the server. Methods do not throw; they resolve to a `Problem` on failure. */
export const api = {
  session: () => get('/api/session'),
  myAttempts: () => get('/api/attempts/mine'),
  startRound: (start: BodyOf<'startRound'>) => post('/api/rounds', start),
  recordAttempt: (attempt: BodyOf<'recordAttempt'>) => post('/api/attempts', attempt),
  login: (credentials: Credentials) => post('/api/login', credentials),
  createAccount: (credentials: Credentials) => post('/api/users', credentials),
  logout: () => post('/api/logout', undefined),
  claim: () => post('/api/claim', undefined),
}

export type Api = typeof api

/** Returns a problem that the page detects without a request. */
export function pageProblem(code: keyof typeof PAGE_PROBLEMS): Problem {
  return { ok: false, code, title: PAGE_PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

export function get<Url extends UrlOf<'GET'>>(url: Url): AnswerAt<'GET', Url> {
  return request(url, { cache: 'no-store' })
}

export function post<Url extends UrlOf<'POST'>>(
  url: Url,
  body: BodyOf<EndpointAt<'POST', Url>>,
): AnswerAt<'POST', Url> {
  // `keepalive` sends an attempt even if the player closes the page right after Stop.
  const options: RequestInit = { method: 'POST', keepalive: true }
  if (body === undefined) return request(url, options)
  return request(url, {
    ...options,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function request<Body>(url: string, options: RequestInit): Promise<Answer<Body>> {
  try {
    const response = await fetch(url, {
      ...options,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    if (!response.ok) return problemOf(response, await readProblem(response))
    const body: Body = response.status === 204 ? null : await response.json()
    return { ok: true, body }
  } catch {
    return { ok: false, code: 'network', title: UNREACHABLE, round: null, retryAfterMs: 0 }
  }
}

/** Reads the problem. If a proxy sent its own error page, derives the problem from the status. */
async function readProblem(response: Response): Promise<ProblemBody> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  if (isProblem) return response.json()
  const { status } = response
  const code = status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'invalid_request'
  return { status, code, title: PAGE_PROBLEMS[code].title }
}

function problemOf({ headers }: Response, { code, title, round }: ProblemBody): Problem {
  const seconds = Number(headers.get('retry-after') ?? 0)
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : 0
  return { ok: false, code, title, round: round ?? null, retryAfterMs }
}
