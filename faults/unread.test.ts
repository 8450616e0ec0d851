import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../server/testing/client.ts'
import { endNodes, ServerNode } from './node.ts'

test('a server whose log nobody reads any more plays on, and stops its database when it is told to end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taps-unread-'))
  onTestFinished(async () => {
    await endNodes()
    await rm(folder, { recursive: true, force: true })
  })
  const node = await ServerNode.start({ DATA_DIR: folder, LOG_LEVEL: 'trace' })
  const lock = join(folder, 'postgres/cluster/postmaster.pid')
  expect(existsSync(lock)).toBe(true)
  node.stopReading()

  const client = new Client(node.url)
  let { round } = await client.session()
  for (const difference of [300, 301, 302]) {
    const { status, body } = await client.play(round, difference)
    expect(status).toBe(201)
    round = body.round
  }
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
  expect(existsSync(lock)).toBe(false)
})
