import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inDatabase } from '../../server/database/address.ts'
import { Client } from '../support/client.ts'
import { runBuilt, toUrl } from '../support/command.ts'
import { withClient } from '../support/connect.ts'
import { ServerNode } from '../support/node.ts'
import { SHARED_SECRET } from '../support/shared-postgres.ts'
import { postgresStage } from '../support/stage.ts'

const DATABASE = 'two_roles'
const PASSWORD = 'correct horse battery'

const stage = postgresStage()

/** What docs/operating.md says to do once, in psql: before the database is there, and in it. */
async function documented(): Promise<[string, string]> {
  const text = await readFile('docs/operating.md', 'utf8')
  const [, sql = ''] = /### Two roles\n.*?```sql\n(.*?)```/s.exec(text) ?? []
  const [before = '', inside = ''] = sql.split('\\c taps\n')
  return [before.replaceAll(/database taps\b/g, `database ${DATABASE}`), inside]
}

function settings(user: string) {
  const connection = inDatabase({ ...stage.postgres.connection, user, password: '…' }, DATABASE)
  return { DATABASE_URL: toUrl(connection), SECRET: SHARED_SECRET }
}

test('one role owns the tables, another one serves them, as docs/operating.md says', async () => {
  const [before, inside] = await documented()
  await withClient(stage.postgres.connection, async client => {
    // A database is made outside a transaction, so each by itself.
    for (const statement of before.split(';\n').filter(Boolean)) await client.query(statement)
  })
  await withClient(inDatabase(stage.postgres.connection, DATABASE), client => client.query(inside))

  const early = ServerNode.launch(settings('taps_web'))
  await early.exited
  expect(early.exitCode).toBe(1)
  expect(early.output).toContain('As their owner: npm run migrate')

  expect(await runBuilt('migrate', [], settings('taps_owner'))).toMatchObject({ code: 0, stderr: '' })
  const node = await ServerNode.start(settings('taps_web'))
  const client = new Client(node.url)
  await client.play((await client.session()).round, 0)
  expect((await client.createAccount('Of The Web', PASSWORD)).status).toBe(201)
  expect((await client.post<{ taps: number }>('/api/claim')).body.taps).toBe(1)

  const folder = await mkdtemp(join(tmpdir(), 'taps-roles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const backup = await runBuilt('backup', [join(folder, 'backup')], settings('taps_web'))
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  expect(backup.stdout).not.toContain('could not be noted')
  await node.end('SIGTERM')
})
