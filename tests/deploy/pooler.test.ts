import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { ServerNode } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'
import { Viewer } from '../support/viewer.ts'
import { PgBouncer, type PoolMode } from './pgbouncer.ts'

const PATIENTLY = { timeout: 30_000 }
const PASSWORD = 'correct horse battery'

/** They share what a client was told, or its transactions. */
const SHARING: readonly PoolMode[] = ['transaction', 'statement']

describe('PgBouncer as it comes', () => {
  // The embedded PostgreSQL is on a socket of its own, which another user may not open.
  const stage = relayedStage()

  async function openPgBouncer(mode: PoolMode, port?: number): Promise<PgBouncer> {
    const pgbouncer = await PgBouncer.open(mode, stage.relay.connection, port)
    onTestFinished(() => pgbouncer.close())
    return pgbouncer
  }

  test.each(SHARING)('in %s mode is refused in one line, and nothing is changed', async mode => {
    const pgbouncer = await openPgBouncer(mode)
    const node = ServerNode.launch(stage.postgres.settings(pgbouncer.connection, 'taps'))
    await node.exited
    expect(node.exitCode).toBe(1)
    expect(node.sentences.at(-1)).toMatch(
      /^DATABASE_URL leads to a pooler that shares its connections .* pool_mode = session/,
    )
    const tables = await withClient(stage.postgres.connection, client =>
      client.query(`select from pg_tables where schemaname = 'public'`),
    )
    expect(tables.rowCount).toBe(0)
  })

  test('in session mode serves the whole game, and again after it was away', async () => {
    const pgbouncer = await openPgBouncer('session')
    const settings = stage.postgres.settings(pgbouncer.connection, 'taps')
    const nodes = await Promise.all([ServerNode.start(settings), ServerNode.start(settings)])
    const [one, other] = nodes.map(({ url }) => url)
    const viewer = await Viewer.open(`${other}`)
    onTestFinished(() => viewer.close())
    const client = new Client(`${one}`)
    const { round } = await client.session()
    const { body } = await client.play(round, 0)
    expect(body.prize?.taps).toBe(1)
    expect((await client.createAccount('Pooled', PASSWORD)).status).toBe(201)
    expect((await client.post<{ taps: number }>('/api/claim')).body.taps).toBe(1)
    await vi.waitFor(
      () => expect(JSON.stringify(viewer.latest('leaderboard'))).toContain('Pooled'),
      PATIENTLY,
    )

    await pgbouncer.close()
    await vi.waitFor(async () => expect((await fetch(`${one}/readyz`)).status).toBe(503), PATIENTLY)
    await openPgBouncer('session', pgbouncer.port)
    await vi.waitFor(async () => expect((await fetch(`${one}/readyz`)).status).toBe(200), PATIENTLY)
    expect((await client.play((await client.session()).round, 300)).status).toBe(201)
  })
})
