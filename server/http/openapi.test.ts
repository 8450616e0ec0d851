import { createConfig, lintFromString } from '@redocly/openapi-core'
import { beforeAll, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

interface Operation {
  summary: string
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { description: string; content?: Record<string, unknown> }>
}

let source = ''
let paths: Record<string, Record<string, Operation>>
beforeAll(async () => {
  source = await (await fetch(`${world.game.url}/api/openapi.json`)).text()
  paths = JSON.parse(source).paths
})

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
    summary: expect.stringContaining('prize_pool, leaderboard, attempts'),
    responses: { 200: { content: { 'text/event-stream': {} } } },
  }
  expect(paths['/api/live']).toMatchObject({ get: live })
})

test('the OpenAPI document can be browsed at /api/docs', async () => {
  const page = await fetch(`${world.game.url}/api/docs`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const code = await fetch(`${world.game.url}/api/docs/static/swagger-ui-bundle.js`)
  expect(await code.text()).toContain('SwaggerUIBundle')
})
