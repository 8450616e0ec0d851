import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint, type EndpointName } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'
import { EXAMPLES } from './openapi-examples.ts'

const world = openWorld()
const MAX_BYTES = 40_000

const read = async () => (await fetch(`${world.game.url}/api/openapi.json`)).text()

test("the OpenAPI document passes Redocly's recommended rules without a warning", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: await read(), absoluteRef: 'openapi.json', config })
  expect(
    found.map(({ ruleId, severity, message, location }) => ({
      ruleId,
      severity,
      message,
      pointer: location[0]?.pointer,
    })),
  ).toEqual([])
})

test('the OpenAPI document has only examples that the contract allows', () => {
  for (const [name, example] of Object.entries(EXAMPLES)) {
    const { body, answers }: Endpoint = ENDPOINTS[name as EndpointName]
    if (body) expect(Check(body, 'body' in example && example.body), name).toBe(true)
    for (const answer of Object.values(answers)) expect(Check(answer, example.answer), name).toBe(true)
  }
})

test('the OpenAPI document has an example for every body and every answer', async () => {
  const { paths } = JSON.parse(await read())
  for (const { url, method, body } of Object.values<Endpoint>(ENDPOINTS)) {
    const { requestBody, responses } = paths[url][method.toLowerCase()]
    if (body) expect(requestBody.content['application/json'].example, url).toBeDefined()
    const answer = responses[200] ?? responses[201]
    if (answer) expect(answer.content['application/json'].example, url).toBeDefined()
  }
})

test('the OpenAPI document lists every schema only once', async () => {
  const text = await read()
  expect(text.length).toBeLessThan(MAX_BYTES)
  expect(text.match(/"title":"Round"/g)).toHaveLength(1)
})
