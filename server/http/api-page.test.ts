import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { childEnvironment } from '../../tests/support/child-environment.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

test('the bot in docs/api.md hits the target and wins the pool', async () => {
  const [, bot = ''] = /```js\n(.*?)```/s.exec(await readFile('docs/api.md', 'utf8')) ?? []
  const argv = ['--input-type=module', '--eval', bot]
  const env = childEnvironment({ TAPS_URL: world.game.url })
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env })
  expect(stdout).toMatch(/^0 s off, won [1-9]\d* TAPS\n$/)
})
