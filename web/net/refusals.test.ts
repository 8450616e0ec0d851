import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../contract/api.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import type { Call } from './answers.ts'
import { REFUSALS, refusalOf } from './refusals.ts'

const COMMON = ['cross_site', 'too_many_requests']

test('the page knows the refusals that each call can give', () => {
  for (const { method, url, problems } of Object.values(ENDPOINTS)) {
    const own = problems.filter(code => !COMMON.includes(code))
    expect([...(REFUSALS[`${method} ${url}` as Call] ?? [])].sort(), url).toEqual([...own].sort())
  }
})

const STALE = { status: 409, code: 'stale_round', round: { token: 'next', target_time: 1.5 } }

test.each([
  ['is missing', undefined],
  ['is blank', ' '],
  ['is no text', { en: 'Stale' }],
])("a refusal whose title %s gets the page's own sentence", (_, title) => {
  const { round, code } = STALE
  const refusal = { code, title: PROBLEMS.stale_round.title, round }
  expect(refusalOf('POST /api/attempts', 409, { ...STALE, title })).toEqual(refusal)
})

test.each<[string, Call, number, object]>([
  ['whose status is not in the body', 'POST /api/attempts', 409, { ...STALE, status: undefined }],
  ["whose status is not the answer's", 'POST /api/attempts', 404, STALE],
  ["whose status is not the code's", 'POST /api/attempts', 404, { ...STALE, status: 404 }],
  ['that another call gives', 'POST /api/claim', 409, STALE],
  ['with another kind of round', 'POST /api/attempts', 409, { ...STALE, round: 7 }],
  ['of a router', 'POST /api/attempts', 404, { status: 404, code: 'not_found' }],
  ['of another program', 'POST /api/attempts', 500, { status: 500, code: 'internal' }],
  ['of a gateway', 'POST /api/attempts', 503, { status: 503, code: 'unavailable' }],
  ['of a validator', 'POST /api/attempts', 400, { status: 400, code: 'invalid_request' }],
])('a body without a title %s is no refusal of the game', (_, call, status, body) => {
  expect(refusalOf(call, status, body)).toBeNull()
})
