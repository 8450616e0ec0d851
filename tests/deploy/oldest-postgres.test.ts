import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBackup, writeBackup } from '../../server/database/backup.ts'
import { restore } from '../../server/database/restore.ts'
import { checkLedger } from '../../server/play/ledger.ts'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { endNodes, ServerNode } from '../support/node.ts'
import { binariesOf } from '../support/postgres.ts'
import { SHARED_SECRET, SharedPostgres } from '../support/shared-postgres.ts'

const PROGRAMS = '/usr/lib/postgresql/15/bin'

test('restores a backup of the embedded PostgreSQL into PostgreSQL 15', async () => {
  const embedded = await SharedPostgres.open()
  onTestFinished(() => embedded.close())
  const oldest = await SharedPostgres.open({}, binariesOf(PROGRAMS))
  onTestFinished(() => oldest.close())
  const folder = join(tmpdir(), `taps-oldest-${process.pid}`)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))

  const node = await ServerNode.start(embedded.settings())
  const client = new Client(node.url)
  const { body } = await client.play((await client.session()).round, 0)
  expect(body.prize?.taps).toBe(1)
  await endNodes()
  await withClient(embedded.connection, it => writeBackup(it, folder, SHARED_SECRET))

  await withClient(oldest.connection, async it => {
    const { rows } = await it.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    )
    expect(rows[0]?.version).toMatch(/^15\./)
    await restore(it, await openBackup(folder), async () => undefined)
    expect(await checkLedger(it)).toMatchObject({ ok: true, added: 1, held: 1 })
  })
})
