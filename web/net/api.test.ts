import { afterEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import { ATTEMPT, recorded } from '../testing/game.ts'
import { api } from './api.ts'
import { isLost, isTransient } from './retry.ts'

afterEach(() => void vi.unstubAllGlobals())

function answerWith(body: string | null, init: ResponseInit = {}): void {
  vi.stubGlobal('fetch', async () => new Response(body, init))
}

const ROUND = { token: 'next', target_time: 1.5 }
const USER = { id: 7, username: 'Ada', taps_balance: 3 }
const PRIZE = { taps: 4, held_until: null, held_seconds: 60 }
const RECORD = { rounds: 12, best: 0.042, streak: 2 }
const SESSION = { user: USER, rank: 3, prize: PRIZE, round: ROUND, record: RECORD }
const SIGNED_IN = { user: USER, prize: null, round: ROUND }
const STOP = { start: 'stamp', username: 'ola', actual_time: 0.99 }
const CREDENTIALS = { username: 'Ada', password: 'a' }

/** Every call, with the server's answer; null stands for no content. */
const CALLS: readonly [name: string, call: () => Promise<unknown>, answer: object | null][] = [
  ['a session', api.session, SESSION],
  ['a Start', () => api.startRound({ round: 'token' }), { start: 'stamp', target_time: 1.5 }],
  ['an attempt', () => api.recordAttempt(STOP), recorded({ won_taps: 3, record: RECORD }).body],
  ['the own attempts', api.myAttempts, { attempts: [ATTEMPT], record: RECORD }],
  ['a login', () => api.login(CREDENTIALS), { ...SIGNED_IN, prize: PRIZE }],
  ['a sign-up', () => api.createAccount(CREDENTIALS), SIGNED_IN],
  ['a claim', api.claim, { taps: 4, user: USER }],
  ['a logout', api.logout, null],
  ['a password', () => api.changePassword({ password: 'a', new_password: 'b' }), null],
  ['a deletion', () => api.deleteAccount({ password: 'a' }), null],
]

/** The fields of answers that the page does not use. */
const UNUSED = ['target_time', 'verified']

describe.each(CALLS)('the answer to %s', (_, call, answer) => {
  const status = answer === null ? 204 : 200

  test('is taken, also with fields that the page does not know', async () => {
    const body = answer && { ...answer, later: 1 }
    answerWith(body && JSON.stringify(body), { status, headers: { 'content-type': 'text/plain' } })
    expect(await call()).toEqual({ ok: true, body })
  })

  test('is neither JSON of another program nor incomplete', async () => {
    const used = Object.keys(answer ?? {}).filter(field => !UNUSED.includes(field))
    const incomplete = used.map(field => ({ ...answer, [field]: undefined }))
    for (const body of [{ error: null, data: {} }, ...incomplete]) {
      answerWith(JSON.stringify(body))
      expect(await call()).toMatchObject({ code: 'stranger' })
    }
  })
})

/** Returns the problem that a session ends with. */
async function problemOfSession() {
  const answer = await api.session()
  if (answer.ok) throw new Error('The call should have failed')
  return answer
}

test.each([
  ['a page', '<!doctype html><h1>No</h1>', 200],
  ['an empty body', '', 200],
  ['no content', null, 204],
  ['a list', '[]', 200],
  ['null', 'null', 200],
  ['a 404 of a router', '404 page not found', 404],
  ['a page of an overloaded proxy', '<h1>Busy</h1>', 429],
  ['an answer with an error status', JSON.stringify(SESSION), 502],
  ['an unknown code', '{ "code": "teapot", "title": "I am a teapot" }', 404],
  ['a code without a title', '{ "code": "not_found", "msg": "no route" }', 404],
  ['a name that every object has', '{ "code": "constructor", "title": "x" }', 404],
  ['another kind of round', '{ "code": "stale_round", "title": "x", "round": 7 }', 404],
])('%s is no answer of the game, so the page asks again as soon as allowed', async (_, body, status) => {
  answerWith(body, { status, headers: { 'retry-after': '2' } })
  const problem = await problemOfSession()
  const title = 'Could not reach the game. Please try again.'
  expect(problem).toEqual({ ok: false, code: 'stranger', title, round: null, retryAfterMs: 2_000 })
  expect([isLost(problem), isTransient(problem)]).toEqual([true, true])
})

test.each(['text/html', 'application/problem+json', undefined])(
  'a refusal is known by its body, with content type %s',
  async type => {
    const { title, status } = PROBLEMS.stale_round
    const body = JSON.stringify({ status, code: 'stale_round', title, round: ROUND, later: 1 })
    answerWith(body, { status, headers: { ...(type && { 'content-type': type }), 'retry-after': '7' } })
    const problem = { ok: false, code: 'stale_round', title, round: ROUND, retryAfterMs: 7_000 }
    expect(await problemOfSession()).toEqual(problem)
  },
)

test('no call follows a redirect or leaves the site with a cookie; closing the page does not cancel a Stop', async () => {
  const send = vi.fn<typeof fetch>(async () => Response.json(SESSION))
  vi.stubGlobal('fetch', send)
  for (const [, call] of CALLS) await call()
  expect(send).toHaveBeenCalledTimes(CALLS.length)
  for (const [, options] of send.mock.calls)
    expect(options).toMatchObject({ redirect: 'error', credentials: 'same-origin' })
  await api.recordAttempt(STOP)
  expect(send.mock.lastCall?.[1]).toMatchObject({ method: 'POST', keepalive: true })
})

test('fails with a retryable problem when no answer comes within 10 s, or 60 s for a call that hashes a password', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => signal?.throwIfAborted())
  const problem = await problemOfSession()
  expect(problem).toMatchObject({ code: 'network' })
  expect([isLost(problem), isTransient(problem)]).toEqual([true, true])
  expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
  await api.login(CREDENTIALS)
  await api.createAccount(CREDENTIALS)
  expect(timeout.mock.calls.slice(1)).toEqual([[60_000], [60_000]])
})
