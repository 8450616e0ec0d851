import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { ServerNode } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'
import { until } from '../support/until.ts'
import { openPgBouncer } from './pgbouncer.ts'

const PASSWORD = 'correct horse battery'

// PgBouncer runs as a user who may not open the embedded PostgreSQL's socket, but may connect to the relay.
const stage = relayedStage()

async function open(mode: string, port?: number) {
  const pgbouncer = await openPgBouncer(mode, stage.relay.connection, port)
  onTestFinished(pgbouncer.close)
  return pgbouncer
}

/** The modes that share connections between clients. */
test.each(['transaction', 'statement'])(
  'a start refuses PgBouncer in %s mode with one line and creates no tables',
  async mode => {
    const pgbouncer = await open(mode)
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
  },
)

test('the game works through PgBouncer in session mode, even after an outage of PgBouncer', async () => {
  const pgbouncer = await open('session')
  const settings = stage.postgres.settings(pgbouncer.connection, 'taps')
  const node = await ServerNode.start(settings)
  const client = new Client(node.url)
  const { body } = await client.play(0)
  expect(body.prize?.taps).toBe(1)
  expect((await client.createAccount('Pooled', PASSWORD)).status).toBe(201)
  expect((await client.post<{ taps: number }>('/api/claim')).body.taps).toBe(1)

  const ready = async () => (await fetch(`${node.url}/readyz`)).status
  await pgbouncer.close()
  await until('the node to miss the pooler', async () => (await ready()) === 503)
  await open('session', pgbouncer.port)
  await until('the node to be ready', async () => (await ready()) === 200)
  expect((await client.play(300)).status).toBe(201)
})
