import type { BodyOf, EndpointAt, Round, UrlOf } from '../../contract/api.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { type AnswerTo, type Call, isAnswer } from './answers.ts'
import { refusalOf } from './refusals.ts'

/** The timeout of a request: longer than the slowest answer, except to a call that hashes a password. */
const REQUEST_TIMEOUT_MS = 10_000
/** The timeout of a call that waits in the queue of password hashes; a repeated call would cost a second hash. */
const HASH_TIMEOUT_MS = 60_000

export const UNREACHABLE = 'Could not reach the game. Please try again.'

/** The reason why a request was refused, was not answered or was not sent. */
export interface Problem {
  readonly ok: false
  /** `network` when nothing came back, `stranger` when something between the page and the game answered. */
  readonly code: ProblemCode | 'network' | 'stranger'
  readonly title: string
  /** The current round, if the request named an outdated round; otherwise null. */
  readonly round: Round | null
  readonly retryAfterMs: number
}

export type Answer<Body> = { readonly ok: true; readonly body: Body } | Problem

export type Credentials = BodyOf<'createAccount'>

/** Login or sign-up. Both requests are safe to repeat. */
export type Entrance = 'login' | 'createAccount'

/** Calls the server. Methods do not throw; they resolve to a `Problem` on failure. */
export const api = {
  session: () => get('/api/session'),
  myAttempts: () => get('/api/attempts/mine'),
  startRound: (start: BodyOf<'startRound'>) => post('/api/rounds', start),
  recordAttempt: (attempt: BodyOf<'recordAttempt'>) => post('/api/attempts', attempt),
  login: (credentials: Credentials) => post('/api/login', credentials, HASH_TIMEOUT_MS),
  createAccount: (credentials: Credentials) => post('/api/users', credentials, HASH_TIMEOUT_MS),
  logout: () => post('/api/logout', undefined),
  claim: () => post('/api/claim', undefined),
  changePassword: (passwords: BodyOf<'changePassword'>) => post('/api/password', passwords, HASH_TIMEOUT_MS),
  deleteAccount: (password: BodyOf<'deleteAccount'>) => post('/api/users/delete', password, HASH_TIMEOUT_MS),
}

export type Api = typeof api

/** Returns a problem that did not come from the game. */
export function pageProblem(code: Problem['code'], title: string, retryAfterMs = 0): Problem {
  return { ok: false, code, title, round: null, retryAfterMs }
}

export function get<Url extends UrlOf<'GET'>>(url: Url): Promise<Answer<AnswerTo<`GET ${Url}`>>> {
  return request(`GET ${url}`, { cache: 'no-store' })
}

function post<Url extends UrlOf<'POST'>>(
  url: Url,
  body: BodyOf<EndpointAt<'POST', Url>>,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<Answer<AnswerTo<`POST ${Url}`>>> {
  // `keepalive` sends an attempt even if the player closes the page right after Stop.
  const options: RequestInit = { keepalive: true }
  if (body === undefined) return request(`POST ${url}`, options, timeoutMs)
  const headers = { 'content-type': 'application/json' }
  return request(`POST ${url}`, { ...options, headers, body: JSON.stringify(body) }, timeoutMs)
}

/**
 * Sends a request. Whatever is neither a refusal nor an answer of the game is no answer: a proxy's page,
 * another program's JSON, or a redirect, which could also send a password elsewhere.
 */
async function request<To extends Call>(
  call: To,
  options: RequestInit,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<Answer<AnswerTo<To>>> {
  const [method = '', url = ''] = call.split(' ')
  try {
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.timeout(timeoutMs),
      method,
      credentials: 'same-origin',
      redirect: 'error',
    })
    return judge(call, response, await readBody(response))
  } catch {
    return pageProblem('network', UNREACHABLE)
  }
}

function judge<To extends Call>(call: To, response: Response, body: unknown): Answer<AnswerTo<To>> {
  const retryAfterMs = retryAfterOf(response.headers)
  const refusal = refusalOf(call, response.status, body)
  if (refusal !== null) return { ok: false, ...refusal, retryAfterMs }
  if (response.ok && isAnswer(call, body)) return { ok: true, body }
  return pageProblem('stranger', UNREACHABLE, retryAfterMs)
}

/** Returns the parsed body, null for status 204, or undefined for anything but JSON. */
async function readBody(response: Response): Promise<unknown> {
  return response.status === 204 ? null : (parseJson(await response.text()) ?? undefined)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfterOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after'))
  return Number.isFinite(seconds) ? seconds * 1_000 : 0
}
