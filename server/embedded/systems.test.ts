// Simulates other systems by changing `process.platform` and `process.arch`.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pathsOf, socketFolder } from './installation.ts'
import { disarmStaleLockFiles } from './postmaster.ts'
import { findBinaries, lastErrorLine } from './programs.ts'

const here = { platform: process.platform, arch: process.arch }
const account = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0, prefix: [] }

function pretend(system: { platform: string; arch?: string }): void {
  for (const [name, value] of Object.entries(system)) Object.defineProperty(process, name, { value })
}

let folder = ''
beforeEach(async () => {
  // A short folder, because these tests fill the longest path of a socket.
  folder = await realpath(await mkdtemp('/tmp/taps-systems-'))
})
afterEach(async () => {
  pretend(here)
  await rm(folder, { recursive: true, force: true })
})

test.each([
  { platform: 'win32', arch: 'x64' },
  { platform: 'freebsd', arch: 'x64' },
  { platform: 'linux', arch: 'riscv64' },
])('refuses $platform-$arch in one line that says what to set', async system => {
  pretend(system)
  await expect((async () => findBinaries())()).rejects.toThrow(
    `No embedded PostgreSQL for ${system.platform}-${system.arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
  )
})

test.each([
  ['linux', 107],
  ['darwin', 103],
])('puts the socket in /tmp on %s when the usual path would exceed %i bytes', async (platform, most) => {
  pretend({ platform })
  const socket = '/socket/.s.PGSQL.5432'
  const fits = join(folder, 'x'.repeat(most - folder.length - 1 - socket.length))
  for (const home of [fits, `${fits}x`]) await mkdir(home)
  expect(await socketFolder(fits, account)).toBe(join(fits, 'socket'))
  const elsewhere = await socketFolder(`${fits}x`, account)
  expect(dirname(elsewhere)).toBe('/tmp')
  await rm(elsewhere, { recursive: true })
})

test('keeps a lock file that names another program on macOS, which cannot show what the program is', async () => {
  pretend({ platform: 'darwin' })
  const paths = pathsOf(join(folder, 'postgres'))
  const lock = join(paths.cluster, 'postmaster.pid')
  await mkdir(dirname(lock), { recursive: true })
  await writeFile(lock, `${process.ppid}\nthe rest`)
  const binaries = { initdb: '', postgres: '', major: '' }
  await disarmStaleLockFiles({ paths, user: account, binaries, socket: folder, password: '' })
  expect(await readFile(lock, 'utf8')).toBe(`${process.ppid}\nthe rest`)
})

test("names the folder that PostgreSQL's user may not enter", () => {
  const stranger = { uid: 2_000_000_000, gid: 2_000_000_000, prefix: [] }
  const line = lastErrorLine('EACCES', stranger, ['/', join(folder, 'data')])
  expect(line).toBe(
    `EACCES; user 2000000000, who runs PostgreSQL, must be able to enter ${folder}: chmod a+x ${folder}, or start as an ordinary user`,
  )
})
