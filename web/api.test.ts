import { afterEach, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { isLost, isTransient } from './retry.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Returns the problem that `api` derives from a response. */
async function problemFrom(status: number, type: string, body: string) {
  const headers = { 'content-type': type, 'retry-after': '2' }
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers }))
  const answer = await api.claim()
  if (answer.ok) throw new Error('The call should have failed')
  return answer
}

test.each([408, 429, 500, 502, 503, 504])('treats status %i from a proxy as unavailable', async status => {
  const answer = await problemFrom(status, 'text/html', '<h1>No</h1>')
  expect(answer).toMatchObject({ code: 'unavailable', retryAfterMs: 2_000 })
  expect(isTransient(answer)).toBe(true)
})

test('treats a refusal from a proxy as final', async () => {
  expect(await problemFrom(413, 'text/html', '<h1>No</h1>')).toMatchObject({ code: 'invalid_request' })
})

test("returns the server's problem when a request is refused", async () => {
  const body = { status: 429, code: 'too_many_requests', title: 'Too many requests; please wait a moment' }
  const answer = await problemFrom(429, 'application/problem+json', JSON.stringify(body))
  expect(answer).toMatchObject({ code: 'too_many_requests', title: body.title })
})

test('fails with a retryable problem when no answer comes within 10 s', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return Response.json({})
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
  await api.recordAttempt({ start: 'stamp', username: 'ola', actual_time: 0.99 })
  expect(send.mock.lastCall?.[1]).toMatchObject({ method: 'POST', keepalive: true })
})
