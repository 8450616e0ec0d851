import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { LIMITS } from '../../contract/limits.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

interface Operation {
  summary: string
  requestBody?: { content: Record<string, unknown> }
  description?: string
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content?: Record<string, unknown> }
  >
}

let source = ''
let document: { info: { description: string }; components: object }
let paths: Record<string, Record<string, Operation>>
beforeAll(async () => {
  source = await (await fetch(`${world.game.url}/api/openapi.json`)).text()
  document = JSON.parse(source)
  paths = JSON.parse(source).paths
})

const MAX_BYTES = 40_000

test("the OpenAPI document passes Redocly's recommended rules without a warning", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(
    found.map(({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0]?.pointer })),
  ).toEqual([])
})

test('the OpenAPI document describes every endpoint of the contract', () => {
  for (const { method, url, tag, summary, answers, problems, body } of Object.values<Endpoint>(ENDPOINTS)) {
    const described = paths[url]?.[method.toLowerCase()]
    expect(described).toMatchObject({ summary, tags: [tag] })
    expect(Object.keys(described?.responses ?? {}), url).toEqual(expect.arrayContaining(Object.keys(answers)))
    for (const code of problems) {
      const refusal = described?.responses[PROBLEMS[code].status]
      expect(refusal?.description).toContain(code)
      expect(Object.keys(refusal?.content ?? {})).toEqual(['application/problem+json'])
    }
    expect(Object.keys(described?.requestBody?.content ?? {}), url).toEqual(body ? ['application/json'] : [])
  }
  const live = {
    summary: expect.stringContaining('prize_pool, leaderboard, attempts, today'),
    responses: { 200: { content: { 'text/event-stream': {} } } },
  }
  expect(paths['/api/live']).toMatchObject({ get: live })
})

/** Collects the titles of all schemas in a part of the document. */
function titlesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const own = 'title' in part && 'type' in part ? [String(part.title)] : []
  return [...own, ...Object.values(part).flatMap(titlesIn)]
}

test('the OpenAPI document has one component for each title, no other titled schema, and is small', () => {
  expect(titlesIn(paths)).toEqual([])
  const { schemas } = document.components as { schemas: object }
  for (const [name, schema] of Object.entries(schemas)) expect(titlesIn(schema), name).toEqual([name])
  const properties = {
    user: { anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] },
    round: { $ref: '#/components/schemas/Round' },
  }
  expect(schemas).toMatchObject({ Session: { properties } })
  expect(Buffer.byteLength(source)).toBeLessThan(MAX_BYTES)
})

test('the OpenAPI document names every limit, and the header that says how long to wait', () => {
  const { burst, perMinute } = LIMITS.requests
  expect(document.info.description).toContain(`${burst} requests at once, then ${perMinute} a minute`)
  for (const { method, url, limit } of Object.values<Endpoint>(ENDPOINTS)) {
    const operation = paths[url]?.[method.toLowerCase()]
    if (limit !== 'reads') {
      expect(operation?.description, url).toContain(`${LIMITS[limit].burst} `)
      expect(operation?.description, url).toContain(`${LIMITS[limit].perMinute} a minute`)
    }
    for (const status of [429, 503])
      expect(operation?.responses[status]?.headers, url).toHaveProperty('Retry-After')
  }
})
