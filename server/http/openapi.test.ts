import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

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
