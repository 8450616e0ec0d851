import type {
  AttemptBody,
  AttemptList,
  CALLS,
  Claimed,
  ProblemBody,
  Recorded,
  Round,
  Session,
  SignedIn,
  Start,
} from '../contract/api.ts'
import { PAGE_PROBLEMS, type ProblemCode } from '../contract/problems.ts'

/** Longer than any honest answer takes, a queued password check included; then the request is sent again. */
const REQUEST_TIMEOUT_MS = 10_000

export const UNREACHABLE = 'The server cannot be reached. Please try again.'

type Calls = typeof CALLS
type Url<Method> = {
  [Name in keyof Calls]: Calls[Name] extends { method: Method; url: infer U } ? U : never
}[keyof Calls]

/** A call that was refused, or whose answer never came (`network`). */
export interface Failure {
  readonly ok: false
  readonly code: ProblemCode | 'network'
  /** The sentence a person reads. */
  readonly title: string
  /** The round in hand, with the codes that end a round. */
  readonly round: Round | null
  /** How long the server asks to be left alone, in ms. */
  readonly retryAfterMs: number
}

export type Answer<Body> = { readonly ok: true; readonly status: number; readonly body: Body } | Failure

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Every call of the page. Outcomes are values: nothing here throws. */
export const api = {
  session: () => get<Session>('/api/session'),
  myAttempts: () => get<AttemptList>('/api/attempts/mine'),
  startRound: (round: string) => post<Start>('/api/rounds', { round }),
  recordAttempt: (attempt: AttemptBody) => post<Recorded>('/api/attempts', attempt),
  login: (credentials: Credentials) => post<SignedIn>('/api/login', credentials),
  createAccount: (credentials: Credentials) => post<SignedIn>('/api/users', credentials),
  logout: () => post<null>('/api/logout'),
  claim: () => post<Claimed>('/api/claim'),
}

export type Api = typeof api

/** A refusal that the page gives itself, before anything is sent. */
export function refusal(code: keyof typeof PAGE_PROBLEMS): Failure {
  return { ok: false, code, title: PAGE_PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

function get<Body>(url: Url<'GET'>): Promise<Answer<Body>> {
  return request(url, { cache: 'no-store' })
}

export function post<Body>(url: Url<'POST'>, body?: object): Promise<Answer<Body>> {
  // keepalive: an attempt that is stopped in the moment the page closes still arrives.
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
    if (!response.ok) return failureOf(response, await readProblem(response))
    const body: Body = response.status === 204 ? null : await response.json()
    return { ok: true, status: response.status, body }
  } catch {
    return {
      ok: false,
      code: 'network',
      title: UNREACHABLE,
      round: null,
      retryAfterMs: 0,
    }
  }
}

/** A proxy in between may answer with a page of its own; then the status has to say enough. */
async function readProblem(response: Response): Promise<ProblemBody> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  if (isProblem) return response.json()
  const code = response.status >= 500 ? 'unavailable' : 'invalid_request'
  return { status: response.status, code, title: PAGE_PROBLEMS[code].title }
}

function failureOf(response: Response, problem: ProblemBody): Failure {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return {
    ok: false,
    code: problem.code,
    title: problem.title,
    round: problem.round ?? null,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0,
  }
}
