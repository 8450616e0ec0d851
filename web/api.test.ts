import { afterEach, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { isLost, isTransient } from './retry.ts'

afterEach(() => void vi.unstubAllGlobals())

/** What the page makes of an answer. */
async function answerTo(status: number, type: string, body: string) {
  const headers = { 'content-type': type, 'retry-after': '2' }
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers }))
  const answer = await api.claim()
  if (answer.ok) throw new Error('It was refused')
  return answer
}

test.each([408, 429, 500, 502, 503, 504])(
  'a proxy that answers by itself with %i has decided nothing',
  async status => {
    const answer = await answerTo(status, 'text/html', '<h1>No</h1>')
    expect(answer).toMatchObject({ code: 'unavailable', retryAfterMs: 2_000 })
    expect(isTransient(answer)).toBe(true)
  },
)

test('a proxy that refuses a request has', async () => {
  expect(await answerTo(413, 'text/html', '<h1>No</h1>')).toMatchObject({ code: 'invalid_request' })
})

test('a refusal of the server is what the server says', async () => {
  const body = { status: 429, code: 'too_many_requests', title: 'Too many requests; please wait a moment' }
  const answer = await answerTo(429, 'application/problem+json', JSON.stringify(body))
  expect(answer).toMatchObject({ code: 'too_many_requests', title: body.title })
})

test('an answer that does not come within 10 s is a problem as any other, and the call is sent again', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return Response.json({})
  })
  const answer = await api.session()
  if (answer.ok) throw new Error('Nothing was answered')
  expect(answer).toMatchObject({ code: 'network' })
  expect([isLost(answer), isTransient(answer)]).toEqual([true, true])
  expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
})

test('an attempt is sent in the way that goes on when its page is closed', async () => {
  const send = vi.fn<typeof fetch>(async () => Response.json({}))
  vi.stubGlobal('fetch', send)
  await api.recordAttempt({ start: 'stamp', username: 'ola', actual_time: 0.99 })
  expect(send.mock.lastCall?.[1]).toMatchObject({ method: 'POST', keepalive: true })
})
