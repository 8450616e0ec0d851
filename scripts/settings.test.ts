import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { childEnvironment } from '../tests/support/child-environment.ts'
import { loadSettings } from './settings.mjs'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-settings-'))
  file = join(folder, '.env')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Writes the settings file, loads it and returns the environment. */
async function load(text: string, env: Record<string, string> = {}) {
  await writeFile(file, text, { mode: 0o600 })
  loadSettings(env, folder, join(folder, 'etc.env'))
  return env
}

test('reads every value literally, and ignores the settings of Docker Compose', async () => {
  const text = [
    '# a comment',
    '',
    'COMPOSE_PROJECT_NAME="of Docker Compose"',
    'POSTGRES_PASSWORD=a',
    'DATABASE_URL=postgres://taps:a$b&c#d e@/taps?host=/run/postgresql',
    ' SECRET = $(id) `id` "quoted" \\n \r',
    'PORT=',
  ]
  expect(await load(text.join('\n'))).toEqual({
    DATABASE_URL: 'postgres://taps:a$b&c#d e@/taps?host=/run/postgresql',
    SECRET: '$(id) `id` "quoted" \\n',
    PORT: '',
  })
})

test('prefers a value from the environment unless the value is empty', async () => {
  const env = { PORT: '4000', HOST: '' }
  expect(await load('PORT=5000\nHOST=0.0.0.0', env)).toEqual({ PORT: '4000', HOST: '0.0.0.0' })
})

test.each([
  ['an unknown name', 'PORT=1\nHOSTT=a', /, line 2: "HOSTT" is not a setting\.$/],
  ['a setting without a value', 'PORT', /, line 1: PORT has no value/],
  ['a duplicate setting', 'PORT=1\nPORT=2', /, line 2: PORT is set twice\.$/],
  ['a value in quotes', "SECRET = 'a b'", /, line 1: SECRET is read literally: remove the quotes\.$/],
])('gives a one-line error for %s', async (_, text, reason) => {
  await expect(load(text)).rejects.toThrow(reason)
})

test('reads the system-wide file when the checkout has no settings file', async () => {
  const system = join(folder, 'etc.env')
  await writeFile(system, 'PORT=1', { mode: 0o600 })
  const env = {}
  expect(loadSettings(env, folder, system)).toBe(system)
  expect(env).toEqual({ PORT: '1' })
})

test('refuses two settings files, and a file that other users can read', async () => {
  await load('PORT=1')
  const system = join(folder, 'etc.env')
  await writeFile(system, '')
  expect(() => loadSettings({}, folder, system)).toThrow(/^There are two settings files, .*: keep one\.$/)
  await rm(system)
  await chmod(file, 0o640)
  expect(() => loadSettings({}, folder, system)).toThrow(/contains secrets: chmod 600 /)
})

test('refuses a file with the former name taps.env', async () => {
  await writeFile(join(folder, 'taps.env'), 'PORT=1', { mode: 0o600 })
  await expect(load('PORT=2')).rejects.toThrow(`${folder}/taps.env is no longer read; rename it to .env`)
})

test('switches from root to the owner of the data folder, even to a user ID without a name', async () => {
  const id = 54_321
  // Only root may give the folder away.
  const isGiven = await chown(folder, id, id).then(
    () => process.getuid?.() === 0,
    () => false,
  )
  if (!isGiven) return
  const settings = JSON.stringify(new URL('settings.mjs', import.meta.url).href)
  const program = `const { becomeOwner } = await import(${settings})
    process.setgroups([0, 1])
    becomeOwner(undefined)
    console.log(process.getuid(), process.getgroups().join(), process.env.USER)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: childEnvironment({ DATA_DIR: folder }),
  })
  expect(stdout).toBe(`${id} ${id} ${id}\n`)
})
