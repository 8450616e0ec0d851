import { afterEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import { ATTEMPT, recorded } from '../testing/game.ts'
import { api } from './api.ts'
import { isLost, isTransient } from './retry.ts'

afterEach(() => void vi.unstubAllGlobals())

const PAGE = '<!doctype html><h1>No</h1>'

function answerWith(body: string | null, init: ResponseInit = {}): void {
  vi.stubGlobal('fetch', async () => new Response(body, init))
}

const ROUND = { token: 'next', target_time: 1.5 }
const USER = { id: 7, username: 'Ada', taps_balance: 3 }
const PRIZE = { taps: 4, held_until: null, held_seconds: null }
const SESSION = { user: null, rank: null, prize: null, round: ROUND }
const STOP = { start: 'stamp', username: 'ola', actual_time: 0.99 }

/** Every call, with the server's answer; null stands for no content. */
const CALLS: readonly [name: string, call: () => Promise<unknown>, answer: object | null][] = [
  ['a session', api.session, { ...SESSION, user: USER, rank: 3, prize: { ...PRIZE, held_seconds: 60 } }],
  ['a Start', () => api.startRound({ round: 'token' }), { start: 'stamp', target_time: 1.5 }],
  ['an attempt', () => api.recordAttempt(STOP), recorded({ won_taps: 3 }).body],
  ['the own attempts', api.myAttempts, { attempts: [ATTEMPT] }],
  [
    'a login',
    () => api.login({ username: 'Ada', password: 'a' }),
    { user: USER, prize: PRIZE, round: ROUND },
  ],
  [
    'a sign-up',
    () => api.createAccount({ username: 'Ada', password: 'a' }),
    { user: USER, prize: null, round: ROUND },
  ],
  ['a claim', api.claim, { taps: 4, user: USER }],
  ['a logout', api.logout, null],
  ['a password', () => api.changePassword({ password: 'a', new_password: 'b' }), null],
  ['a deletion', () => api.deleteAccount({ password: 'a' }), null],
]

describe.each(CALLS)('the answer to %s', (_, call, answer) => {
  const status = answer === null ? 204 : 200

  test('is taken, also with fields that the page does not know', async () => {
    const body = answer && { ...answer, later: 1 }
    answerWith(body && JSON.stringify(body), { status, headers: { 'content-type': 'text/plain' } })
    expect(await call()).toEqual({ ok: true, body })
  })

  test.each([
    ['a page', PAGE, 200],
    ['an empty body', '', 200],
    ['no content', null, 204],
    ['JSON of another program', '{"error":null,"data":{}}', 200],
    ['a list', '[]', 200],
    ['null', 'null', 200],
    ['a 404 of a router', '404 page not found', 404],
    ['an answer with an error status', JSON.stringify(answer), 502],
  ])('is not %s', async (_, body, foreignStatus) => {
    if (answer === null && foreignStatus === 204) return
    answerWith(body, { status: foreignStatus })
    expect(await call()).toMatchObject({
      code: 'stranger',
      title: 'Could not reach the game. Please try again.',
    })
  })

  test('is incomplete without any of the fields that the page uses', async () => {
    for (const field of Object.keys(answer ?? {})) {
      if (field === 'target_time' || field === 'verified') continue
      answerWith(JSON.stringify({ ...answer, [field]: undefined }))
      expect(await call(), field).toMatchObject({ code: 'stranger' })
    }
  })
})

/** Returns the problem that a claim ends with. */
async function problemOfClaim() {
  const answer = await api.claim()
  if (answer.ok) throw new Error('The call should have failed')
  return answer
}

test.each([401, 403, 404, 408, 413, 421, 425, 429, 500, 502, 503])(
  'a refusal by a stranger, status %i, is no answer and waits as long as asked',
  async status => {
    answerWith(PAGE, { status, headers: { 'retry-after': '2' } })
    const problem = await problemOfClaim()
    expect(problem).toMatchObject({ code: 'stranger', retryAfterMs: 2_000 })
    expect([isLost(problem), isTransient(problem)]).toEqual([true, true])
  },
)

test.each([
  ['an unknown code', { code: 'teapot', title: 'I am a teapot' }],
  ['a code without a title', { code: 'not_found', msg: 'no route' }],
  ['a name that every object has', { code: 'constructor', title: 'x' }],
  ['another kind of round', { code: 'stale_round', title: 'x', round: 7 }],
])('a body with %s is no refusal', async (_, body) => {
  answerWith(JSON.stringify(body), { status: 404 })
  expect(await problemOfClaim()).toMatchObject({ code: 'stranger' })
})

test.each(['text/html', 'application/problem+json', undefined])(
  'a refusal is known by its body, with content type %s',
  async type => {
    const { title, status } = PROBLEMS.stale_round
    const body = JSON.stringify({ status, code: 'stale_round', title, round: ROUND, later: 1 })
    answerWith(body, { status, headers: { ...(type && { 'content-type': type }), 'retry-after': '7' } })
    const problem = { ok: false, code: 'stale_round', title, round: ROUND, retryAfterMs: 7_000 }
    expect(await problemOfClaim()).toEqual(problem)
  },
)

test('no call follows a redirect or leaves the site with a cookie', async () => {
  const send = vi.fn<typeof fetch>(async () => Response.json(SESSION))
  vi.stubGlobal('fetch', send)
  for (const [, call] of CALLS) await call()
  expect(send).toHaveBeenCalledTimes(CALLS.length)
  for (const [, options] of send.mock.calls)
    expect(options).toMatchObject({ redirect: 'error', credentials: 'same-origin' })
})

test('fails with a retryable problem when no answer comes within 10 s', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return Response.json(SESSION)
  })
  const answer = await api.session()
  if (answer.ok) throw new Error('The call should have failed')
  expect(answer).toMatchObject({ code: 'network' })
  expect([isLost(answer), isTransient(answer)]).toEqual([true, true])
  expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
})

test('sends an attempt with `keepalive`, so that closing the page does not cancel the request', async () => {
  const send = vi.fn<typeof fetch>(async () => Response.json({}))
  vi.stubGlobal('fetch', send)
  await api.recordAttempt(STOP)
  expect(send.mock.lastCall?.[1]).toMatchObject({ method: 'POST', keepalive: true })
})
