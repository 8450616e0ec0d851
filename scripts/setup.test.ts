import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

const run = promisify(execFile)

/** A project of its own, whose name needs care in a shell. */
let folder = ''
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taps $setup '))
  await cp(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true })
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const write = async (path: string, content: unknown) => {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const read = (path: string) => readFile(join(folder, path), 'utf8')

/** What an expression over one of the scripts comes to, in a process of its own. */
async function evaluate(script: string, expression: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    program(script, expression),
  ])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

function program(script: string, expression: string): string {
  const module = JSON.stringify(join(folder, 'scripts', script))
  return `const it = await import(${module}); console.log(JSON.stringify(await (${expression}) ?? null))`
}

describe('the version of Node', () => {
  test.each(['12.22.0', '18.20.4', '20.18.3'])('%s is refused in one line', async version => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    const start = run(process.execPath, [
      '--import',
      `data:text/javascript,${old}`,
      join(folder, 'scripts/start.mjs'),
    ])
    const stderr = `TAPS needs Node 20.19 or newer; this is ${version}.\n`
    await expect(start).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })
})

describe('what is installed', () => {
  const here = { os: [process.platform], cpu: [process.arch], optional: true }
  const elsewhere = { os: ['plan9'], cpu: [process.arch], optional: true }
  const locked = {
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/dev': { version: '1.0.0', dev: true },
    'node_modules/here': { version: '1.0.0', ...here },
    'node_modules/elsewhere': { version: '1.0.0', ...elsewhere },
  }
  const { '': _root, 'node_modules/elsewhere': _elsewhere, ...everything } = locked
  const { 'node_modules/dev': _dev, ...production } = everything

  beforeEach(() => write('package-lock.json', { packages: locked }))

  const installed = async (packages: Record<string, unknown>) => {
    await write('node_modules/.package-lock.json', { packages })
    return evaluate('install.mjs', '[it.isInstalled({ dev: false }), it.isInstalled({ dev: true })]')
  }

  test('is nothing when an installation was killed', async () => {
    await write('node_modules/a/package.json', {})
    expect(await evaluate('install.mjs', 'it.isInstalled({ dev: false })')).toBe(false)
  })

  test('is enough to start without what only the tests need', async () => {
    expect(await installed(everything)).toEqual([true, true])
    expect(await installed(production)).toEqual([true, false])
  })

  test('is not enough when a version, a content or a package of this platform differs', async () => {
    const { 'node_modules/here': _here, ...copied } = everything
    expect(await installed(copied)).toEqual([false, false])
    expect(await installed({ ...everything, 'node_modules/a': { version: '1.0.1' } })).toEqual([false, false])
    const other = { version: '1.0.0', integrity: 'sha512-b' }
    expect(await installed({ ...everything, 'node_modules/a': other })).toEqual([false, false])
  })
})

describe('what is built', () => {
  beforeEach(async () => {
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
    for (const file of ['tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'package-lock.json']) {
      await cp(join(PROJECT, file), join(folder, file))
    }
    await write('package.json', { type: 'module' })
    await write('contract/rules.ts', 'export const WIN: number = 100\n')
    await write(
      'server/main.ts',
      "import { WIN } from '../contract/rules.ts'\nprocess.stdout.write(String(WIN))\n",
    )
    await write(
      'web/index.html',
      '<!doctype html><title>page</title><script type="module" src="main.ts"></script>',
    )
    await write('web/main.ts', "import { WIN } from '../contract/rules.ts'\ndocument.title = String(WIN)\n")
    const page = { root: 'web', build: { outDir: '../dist/web', emptyOutDir: true } }
    await write('vite.config.ts', `export default ${JSON.stringify(page)}`)
    const server = { build: { ssr: 'server/main.ts', emptyOutDir: false } }
    await write('vite.server.config.ts', `export default ${JSON.stringify(server)}`)
  })

  const build = () => evaluate('build.mjs', 'it.build({ onStart() {} })')
  const isBuilt = () => evaluate('build.mjs', 'it.isBuilt()')

  test('stays until a source changes, and tests are not sources', async () => {
    expect(await isBuilt()).toBe(false)
    await build()
    expect(await isBuilt()).toBe(true)
    expect((await run(process.execPath, [join(folder, 'dist/server/main.js')])).stdout).toBe('100')
    expect(await read('dist/web/index.html')).toContain('<title>page</title>')

    await write('server/main.test.ts', 'a test')
    expect(await isBuilt()).toBe(true)
    await write('contract/rules.ts', 'export const WIN: number = 99\n')
    expect(await isBuilt()).toBe(false)
    await build()
    expect((await run(process.execPath, [join(folder, 'dist/server/main.js')])).stdout).toBe('99')
  })

  test('is kept when a build fails half-way, and then built again without the leavings of that one', async () => {
    await build()
    const main = await read('server/main.ts')
    await write('server/main.ts', 'const = broken')
    await expect(build()).rejects.toMatchObject({ code: 1 })
    expect((await run(process.execPath, [join(folder, 'dist/server/main.js')])).stdout).toBe('100')
    expect(await isBuilt()).toBe(false)
    await write('.cache/server/leavings.js', '')
    await write('server/main.ts', main)
    await build()
    expect(await isBuilt()).toBe(true)
    expect(existsSync(join(folder, 'dist/server/leavings.js'))).toBe(false)
  })
})

describe('two set-ups at once', () => {
  const LOCK = '.cache/setup.lock'
  const take = 'it.SetupLock.prototype.take.call(globalThis.lock = new it.SetupLock())'

  /** A process that has taken the lock and keeps it. */
  async function holder(): Promise<ChildProcess> {
    const script = program('setup-lock.mjs', `${take}.then(() => { setInterval(() => {}, 1_000) })`)
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  test('take turns', async () => {
    const first = await holder()
    const second = spawn(process.execPath, ['--input-type=module', '--eval', program('setup-lock.mjs', take)])
    children.push(second)
    const [words] = await once(second.stdout, 'data')
    expect(String(words)).toBe('Another start is setting things up; waiting for it …\n')
    expect(await read(LOCK)).toBe(`${hostname()} ${first.pid}`)
    first.kill('SIGKILL')
    expect(await once(second, 'exit')).toEqual([0, null])
  })

  test('wait for the child that a killed one left at work', async () => {
    const orphan = spawn('sleep', ['60'])
    children.push(orphan)
    const first = await holder()
    await write(LOCK, `${hostname()} ${first.pid} ${orphan.pid}`)
    first.kill('SIGKILL')
    await once(first, 'exit')
    const second = spawn(process.execPath, ['--input-type=module', '--eval', program('setup-lock.mjs', take)])
    children.push(second)
    await once(second.stdout, 'data')
    expect(second.exitCode).toBeNull()
    orphan.kill('SIGKILL')
    expect(await once(second, 'exit')).toEqual([0, null])
  })

  test('leave no lock behind', async () => {
    const released = await evaluate('setup-lock.mjs', `${take}.then(() => globalThis.lock.release())`)
    expect(released).toBeNull()
    expect(existsSync(join(folder, LOCK))).toBe(false)
  })
})
