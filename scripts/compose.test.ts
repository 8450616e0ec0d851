import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv, SETTING_NAMES } from '../server/settings.mjs'
import { loadSettings } from './settings.mjs'

const compose = readFileSync('compose.yaml', 'utf8')

test('compose.yaml names a Dockerfile that exists', () => {
  const [, file = ''] = /^ +dockerfile: (\S+)$/m.exec(compose) ?? []
  expect(file).not.toBe('')
  expect(existsSync(file), file).toBe(true)
})

test('compose.yaml passes every setting to the container, and nothing else', () => {
  const [, environment = ''] = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(compose) ?? []
  const names = Array.from(environment.matchAll(/^ {6}(\w+):/gm), ([, name]) => name)
  expect(names.sort()).toEqual([...SETTING_NAMES].sort())
  for (const [, name] of compose.matchAll(/\$\{(\w+)/g))
    expect([...SETTING_NAMES, 'TAPS_VERSION', 'POSTGRES_PASSWORD']).toContain(name)
})

test('compose.yaml has no default for a password, and says how to make one', () => {
  for (const name of ['SECRET', 'POSTGRES_PASSWORD']) {
    expect(compose).toContain(`${name}: \${${name}:?is missing; the first lines of compose.yaml make it}`)
    expect(compose).not.toMatch(new RegExp(`\\$\\{${name}:-[^}]`))
  }
})

test('the first lines of compose.yaml make a settings file once, and the game accepts the file', async () => {
  const [, command = ''] = /^# +(\[ -e \.env \].*)$/m.exec(compose) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'taps-compose-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Stands in for openssl, which a machine may lack.
  const openssl = 'openssl() { head -c "$3" /dev/urandom | od -An -v -tx1 | tr -d " \\n"; }'
  const make = () => promisify(execFile)('sh', ['-c', `${openssl}; ${command}`], { cwd: folder })
  await make()
  const file = await readFile(join(folder, '.env'), 'utf8')
  expect(file).toMatch(/^SECRET=[0-9a-f]{64}\nPOSTGRES_PASSWORD=[0-9a-f]{48}\n$/)
  await make()
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe(file)
  const env: NodeJS.ProcessEnv = {}
  loadSettings(env, folder, join(folder, 'none'))
  expect(readEnv(env).secret).toHaveLength(64)
})

test('compose.yaml runs each service without root, capabilities or a writable system', () => {
  const [, hardened = ''] = /^x-hardened: &hardened\n((?: {2}.+\n)+)/m.exec(compose) ?? []
  for (const rule of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: [no-new-privileges:true]']) {
    expect(hardened).toContain(rule)
  }
  const [, services = ''] = /^services:\n((?: {2}.*\n|\n)+)/m.exec(compose) ?? []
  const blocks = services.split(/^ {2}(?=\w+:$)/m).slice(1)
  expect(blocks.map(block => block.split(':')[0])).toEqual(['taps', 'database'])
  for (const block of blocks) expect(block).toMatch(/<<: \*hardened\n(.*\n)* {4}user: (node|postgres)\n/)
})

test('compose.yaml creates a database that sorts text alike in every image', () => {
  expect(compose).toContain('POSTGRES_INITDB_ARGS: --locale=C --encoding=UTF8')
})

test('compose.yaml publishes the port only locally, because the server trusts private networks as proxies', () => {
  expect(compose).toContain('ports: ["127.0.0.1:3000:3000"]')
})
