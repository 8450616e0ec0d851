import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '../server/settings.mjs'

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
    expect([...SETTING_NAMES, 'TAPS_VERSION']).toContain(name)
})

test('compose.yaml publishes the port only locally, because the server trusts private networks as proxies', () => {
  expect(compose).toContain('ports: ["127.0.0.1:3000:3000"]')
})
