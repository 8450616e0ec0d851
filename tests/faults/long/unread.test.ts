import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../../support/client.ts'
import { freePort } from '../../support/free-port.ts'
import { endNodes, ServerNode } from '../../support/node.ts'

test('a server answers requests and stops its database on SIGTERM, even when no process reads its output', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taps-unread-'))
  onTestFinished(async () => {
    await endNodes()
    await rm(folder, { recursive: true, force: true })
  })
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const node = ServerNode.launch({ DATA_DIR: folder, LOG_LEVEL: 'info', PORT: `${port}` })
  node.stopReading()
  await vi.waitFor(() => fetch(`${url}/readyz`), { timeout: 60_000, interval: 50 })
  const lock = join(folder, 'postgres/cluster/postmaster.pid')
  expect(existsSync(lock)).toBe(true)

  const client = new Client(url)
  for (const difference of [300, 301, 302]) {
    expect((await client.play(difference)).status).toBe(201)
  }
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
  expect(existsSync(lock)).toBe(false)
})
