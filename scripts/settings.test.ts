import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readEnv } from '../server/env.ts'
import { loadSettings, SETTINGS } from './settings.mjs'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps-settings-'))
  file = join(folder, 'taps.env')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** What the settings come to with this in the file. */
async function load(text: string, env: Record<string, string> = {}) {
  await writeFile(file, text, { mode: 0o600 })
  loadSettings(env, [file])
  return env
}

test('every value is read as it stands, whatever a shell would make of it', async () => {
  const text = [
    '# the game on this machine',
    '',
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

test('what the environment sets counts, unless it is empty', async () => {
  const env = { PORT: '4000', HOST: '' }
  expect(await load('PORT=5000\nHOST=0.0.0.0', env)).toEqual({ PORT: '4000', HOST: '0.0.0.0' })
})

test.each([
  ['a name that is no setting', 'PORT=1\nHOSTT=a', /, line 2: "HOSTT" is no setting\.$/],
  ['a line of a shell', 'export PORT=1', /, line 1: "export PORT" is no setting\.$/],
  ['a setting without a value', 'PORT', /, line 1: PORT has no value/],
  ['a setting that is there twice', 'PORT=1\nPORT=2', /, line 2: PORT is set twice\.$/],
  ['quotes, which systemd took away', 'SECRET="a b"', /, line 1: .* leave the quotes out\.$/],
])('%s is refused in one line', async (_, text, reason) => {
  await expect(load(text)).rejects.toThrow(reason)
})

test('a file that others may read is refused, and so are two', async () => {
  await load('PORT=1')
  const other = join(folder, 'other.env')
  await writeFile(other, '')
  expect(() => loadSettings({}, [file, other])).toThrow(/^There are two files of settings, .*: keep one\.$/)
  await chmod(file, 0o640)
  expect(() => loadSettings({}, [file])).toThrow(/holds secrets: chmod 600 /)
})

test('the settings that a file may have are those that the server reads', () => {
  const read = new Set<string>()
  const variables = new Proxy({} as NodeJS.ProcessEnv, {
    get(_, name) {
      read.add(String(name))
      return undefined
    },
  })
  readEnv(variables)
  expect([...read].sort()).toEqual([...SETTINGS].sort())
})
