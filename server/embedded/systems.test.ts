// Simulates other systems by changing `process.platform` and `process.arch`.

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { socketFolder } from './installation.ts'
import { findBinaries } from './programs.ts'

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
  { platform: 'linux', arch: 'riscv64' },
])('refuses $platform-$arch in one line that says what to set', async system => {
  pretend(system)
  await expect(findBinaries()).rejects.toThrow(
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
