import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '../server/settings.mjs'
import { createTestEnvironment } from './test-environment.mjs'

const FOREIGN = ['PGHOST', 'PGOPTIONS', 'GIT_DIR', 'NODE_OPTIONS', 'HTTPS_PROXY', 'LC_ALL', ...SETTING_NAMES]

test('leaves out everything in the shell but the path and what to run', async () => {
  const shell = { PATH: '/bin', TESTS: 'all', HOME: '/home/me', TMPDIR: '/var/tmp' }
  const foreign = Object.fromEntries(FOREIGN.map(name => [name, 'nonsense']))
  const { HOME = '', TMPDIR, ...others } = createTestEnvironment({ ...shell, ...foreign })
  const fixed = { LANG: 'C.UTF-8', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1' }
  expect(others).toEqual({ PATH: '/bin', TESTS: 'all', ...fixed })
  expect(TMPDIR).toBe(HOME)
  expect(existsSync(HOME)).toBe(true)
  await rm(HOME, { recursive: true })
})
