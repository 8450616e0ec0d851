import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ServerNode } from '../../support/node.ts'

const run = promisify(execFile)

test('a first start on a disk with no room for a database says so in one line', async () => {
  const mount = await mkdtemp(join(tmpdir(), 'taps-small-'))
  await run('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=0755', 'tmpfs', mount])
  onTestFinished(async () => {
    await run('umount', [mount])
    await rm(mount, { recursive: true })
  })
  const dataDir = join(mount, 'data')
  const node = ServerNode.launch({ DATA_DIR: dataDir })
  await node.exited
  expect(node.sentences.at(-1)).toBe(
    `Cannot make a database in ${dataDir}: it takes 128 MB at first, and 20 MB are free`,
  )
})
