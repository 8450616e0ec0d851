import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('raises each alert under its condition, and no other', () => {
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['test', 'rules', 'tests/deploy/alerts.test.yml'],
    { encoding: 'utf8' },
  )
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: expect.stringMatching(/SUCCESS/) })
})
