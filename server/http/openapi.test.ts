import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'

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

test('the OpenAPI document lists every schema only once', async () => {
  const text = await read()
  expect(text.length).toBeLessThan(MAX_BYTES)
  expect(text.match(/"title":"Round"/g)).toHaveLength(1)
})
