import { spawnSync } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../../tests/support/child-environment.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { syncFolder } from './files.ts'

/** Mounts a read-only file system in a namespace of its own, where the system allows that. */
const READ_ONLY = [
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-euc',
  'mount -t tmpfs -o ro tmpfs "$0"; "$@"',
]

test('a start in a new folder on a read-only file system says where systemd lets the game write', async () => {
  const folder = await temporaryFolder('taps-read-only-')
  onTestFinished(() => rm(folder, { recursive: true }))
  const inside = (...argv: string[]) => {
    const env = childEnvironment({ DATA_DIR: `${folder}/a/season-2`, PORT: '0' })
    return spawnSync('unshare', [...READ_ONLY, folder, ...argv], { encoding: 'utf8', env })
  }
  if (inside('true').status !== 0) return
  const { stdout, stderr } = inside(process.execPath, 'dist/server/main.js')
  expect(stdout + stderr).toContain(`Cannot write to the data folder ${folder}/a/season-2 (EROFS)`)
  expect(stdout + stderr).toContain('below /var/lib/taps')
})

test('accepts a folder that cannot be flushed, like one on a share, and closes it', async () => {
  // Linux answers a flush of this folder with EINVAL, like many shares.
  await expect(syncFolder('/proc')).resolves.toBeUndefined()
  await expect(syncFolder('/proc/nowhere')).resolves.toBeUndefined()
  const open = await readdir('/proc/self/fd').catch(() => [])
  await syncFolder('/proc')
  expect(await readdir('/proc/self/fd').catch(() => [])).toHaveLength(open.length)
})
