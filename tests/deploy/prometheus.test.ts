import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('each alert fires for its own faults only', () => {
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['test', 'rules', 'tests/deploy/alerts.test.yml'],
    { encoding: 'utf8' },
  )
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: expect.stringMatching(/SUCCESS/) })
})
