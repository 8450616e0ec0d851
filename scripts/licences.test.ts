import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LIST, licences } from './licences.mjs'

interface Manifest {
  readonly dependencies: Record<string, string>
  readonly devDependencies: Record<string, string>
  readonly allowScripts: Record<string, boolean>
}

interface Locked {
  readonly hasInstallScript?: boolean
  readonly integrity?: string
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const { dependencies, devDependencies, allowScripts }: Manifest = read('package.json')
const { '': _, ...locked }: Record<string, Locked> = read('package-lock.json').packages

test('the list of licences is the one that npm run licences makes', () => {
  expect(readFileSync(LIST, 'utf8')).toBe(licences())
})

test('every version is exact', () => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
  }
})

test('every package of the lock file is known by its hash', () => {
  for (const [path, { integrity }] of Object.entries(locked)) expect(integrity, path).toMatch(/^sha512-/)
})

test('no install script is needed: each package that has one is named, and refused', () => {
  const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(scripted.length).toBeGreaterThan(0)
  for (const [path] of scripted) expect(allowScripts[path.replace('node_modules/', '')], path).toBe(false)
})
