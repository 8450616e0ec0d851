import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import type { Session } from '../../contract/api.ts'
import { PAUSE_MS } from '../../server/database/pause.ts'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { ServerNode } from '../support/node.ts'
import { report } from '../support/size.ts'
import { postgresStage } from '../support/stage.ts'

/** How long the process stands still, ms. */
const FROZEN_MS = PAUSE_MS + 1_000

const stage = postgresStage()

/** Whom a commit waits for: a leader that others have left waits for one that does not come. */
function awaitInCommits(replicas: string): Promise<void> {
  return withClient(stage.postgres.connection, async client => {
    await client.query(`alter system set synchronous_standby_names = '${replicas}'`)
    await client.query('select pg_reload_conf()')
    const isSo = async () =>
      (await client.query('show synchronous_standby_names')).rows[0]?.synchronous_standby_names === replicas
    await vi.waitUntil(isSo)
  })
}

it('a node that was frozen believes nothing that its database says before a commit is confirmed', async () => {
  const node = await ServerNode.start(stage.postgres.settings())
  const client = new Client(node.url)
  const { round } = await client.session()
  const statusOf = async (path: string) => (await fetch(node.url + path)).status

  process.kill(node.pid, 'SIGSTOP')
  await awaitInCommits('gone')
  await sleep(FROZEN_MS)
  process.kill(node.pid, 'SIGCONT')
  const { status, body, headers } = await client.get('/api/session')
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  expect(body).toMatchObject({ code: 'unavailable' })
  const paths = ['/api/leaderboard', '/api/attempts', '/api/live', '/readyz', '/healthz', '/']
  expect(await Promise.all(paths.map(statusOf))).toEqual([503, 503, 503, 503, 200, 200])

  const began = performance.now()
  await awaitInCommits('')
  await vi.waitUntil(async () => (await statusOf('/readyz')) === 200, { timeout: 30_000 })
  report('a node that was frozen', { 'ms until ready again': Math.round(performance.now() - began) })
  expect((await client.get<Session>('/api/session')).body.round).toEqual(round)
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
})
