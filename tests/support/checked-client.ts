import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { ENDPOINTS, type Endpoint, ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { type Answer, Client, type ClientRequest } from './client.ts'

/** The refusals that any endpoint may send without declaring them. */
const COMMON: readonly ProblemCode[] = [
  'invalid_request',
  'cross_site',
  'too_large',
  'unsupported_media_type',
  'too_many_requests',
  'unavailable',
]

/** A client that checks the status, content type, body and refusal of every answer against the contract. */
export class CheckedClient extends Client {
  override copy(url?: string): CheckedClient {
    return this.copyTo(new CheckedClient(url ?? this.url))
  }

  override async send<Body>(path: string, request: ClientRequest = {}): Promise<Answer<Body>> {
    const answer = await super.send<Body>(path, request)
    const endpoint = Object.values<Endpoint>(ENDPOINTS).find(
      ({ method, url }) => url === path && method === (request.method ?? 'GET'),
    )
    if (endpoint && answer.status < 400) checkAnswer(endpoint, answer)
    else checkProblem(endpoint, answer)
    return answer
  }
}

function checkAnswer({ answers }: Endpoint, { status, body, headers }: Answer<unknown>): void {
  const schema = answers[status]
  if (!schema) throw new Error(`The contract does not declare the status ${status}`)
  checkBody(schema, body)
  if (body === null) return
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
}

function checkProblem(endpoint: Endpoint | undefined, { status, body, headers }: Answer<unknown>): void {
  if (status < 400) return
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
  checkBody(ProblemBody, body)
  const { code } = body as { code: ProblemCode }
  expect(body).toMatchObject({ status, code: expect.toSatisfy(known => known in PROBLEMS) })
  expect(PROBLEMS[code].status).toBe(status)
  if (endpoint) expect([...endpoint.problems, ...COMMON], 'the declared refusals').toContain(code)
  if (status === 429 || status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
}

function checkBody(schema: TSchema, body: unknown): void {
  expect(Value.Errors(schema, body), JSON.stringify(body)).toEqual([])
}
