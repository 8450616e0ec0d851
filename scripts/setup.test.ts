import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

beforeEach(async () => {
  await mkdir(join(PROJECT, '.cache'), { recursive: true })
  // On the checkout's disk, because the build refuses a disk that is mounted with noexec.
  folder = await mkdtemp(join(PROJECT, ".cache/taps 'setup "))
  await cp(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true })
  await cp(join(PROJECT, SETTINGS), join(folder, SETTINGS))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const write = async (path: string, content: unknown) => {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

/** Evaluates an expression in a new process, with the script's exports as `it`. */
async function evaluate(script: string, expression: string, cwd = folder): Promise<unknown> {
  const parameters = ['--input-type=module', '--eval', program(script, expression)]
  const { stdout } = await run(process.execPath, parameters, cwd)
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
  const drafts = () => readdir(join(folder, '.cache'))

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
    const version = () => readFile(join(folder, 'dist/version'), 'utf8')
    await build()
    expect(await version()).toBe('0.0.0')
    if (!(await hasGit())) return
    await write('.gitignore', 'builds\ndist\n.cache\n')
    await git('init', '-q')
    await git('add', '-A')
    await git('commit', '-qm', 'a')
    for (const tag of ['1.1.0', '1.2.0']) {
      await git('tag', `v${tag}`)
      await build()
      expect(await version()).toMatch(/^1\.[12]\.0$/)
      if (tag === '1.1.0') await git('tag', '-d', 'v1.1.0')
    }
    expect(await version()).toBe('1.2.0')
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
