import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../server/testing/client.ts'
import { endNodes, ServerNode } from './node.ts'

test('a server whose output nobody reads plays on, and stops its database when it is told to end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taps-unread-'))
  onTestFinished(async () => {
    await endNodes()
    await rm(folder, { recursive: true, force: true })
  })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const node = ServerNode.launch({ DATA_DIR: folder, LOG_LEVEL: 'trace', PORT: `${port}` })
  node.stopReading()
  await vi.waitFor(() => fetch(`${url}/readyz`), { timeout: 30_000, interval: 50 })
  const lock = join(folder, 'postgres/cluster/postmaster.pid')
  expect(existsSync(lock)).toBe(true)

  const client = new Client(url)
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

/** A port that nobody listens on; needed where the server cannot say which one it took. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
