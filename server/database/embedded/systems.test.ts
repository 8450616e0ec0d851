// What is otherwise on systems that these tests do not run on: the process says that it is on one of them.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pathsOf, socketFolder } from './installation.ts'
import { disarmStaleLockFiles } from './postmaster.ts'
import { findBinaries } from './programs.ts'

const here = { platform: process.platform, arch: process.arch }
const account = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0, prefix: [] }

function pretend(system: { platform: string; arch?: string }): void {
  for (const [name, value] of Object.entries(system)) Object.defineProperty(process, name, { value })
}

let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'taps-systems-')))
})
afterEach(async () => {
  pretend(here)
  await rm(folder, { recursive: true, force: true })
})

test.each([
  { platform: 'win32', arch: 'x64' },
  { platform: 'freebsd', arch: 'x64' },
  { platform: 'linux', arch: 'riscv64' },
])('$platform-$arch has no PostgreSQL of its own, and one line says what to do', async system => {
  pretend(system)
  await expect((async () => findBinaries())()).rejects.toThrow(
    `No embedded PostgreSQL for ${system.platform}-${system.arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
  )
})

test.each([
  ['linux', 107],
  ['darwin', 103],
])('on %s a socket has a path of %i bytes at most: a longer one is elsewhere', async (platform, most) => {
  pretend({ platform })
  const socket = '/socket/.s.PGSQL.5432'
  const fits = join(folder, 'x'.repeat(most - folder.length - 1 - socket.length))
  for (const home of [fits, `${fits}x`]) await mkdir(home)
  expect(await socketFolder(fits, account)).toBe(join(fits, 'socket'))
  const elsewhere = await socketFolder(`${fits}x`, account)
  expect(elsewhere).toBe(join(tmpdir(), basename(elsewhere)))
  await rm(elsewhere, { recursive: true })
})

test.each([
  ['linux', process.pid],
  // Without /proc nobody can tell whose number it is.
  ['darwin', process.ppid],
])('on %s a lock that names some other program is of %i afterwards', async (platform, holder) => {
  pretend({ platform })
  const paths = pathsOf(join(folder, 'postgres'))
  const lock = join(paths.cluster, 'postmaster.pid')
  await mkdir(dirname(lock), { recursive: true })
  await writeFile(lock, `${process.ppid}\nthe rest`)
  const binaries = { initdb: '', postgres: '', major: '' }
  await disarmStaleLockFiles({ paths, user: account, binaries, socket: folder, password: '' })
  expect(await readFile(lock, 'utf8')).toBe(`${holder}\nthe rest`)
})
