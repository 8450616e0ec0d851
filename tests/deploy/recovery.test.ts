import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseSystemUser, type SystemUser, spawnAs } from '../../server/database/embedded/programs.ts'
import { readLedger } from '../../server/game/ledger.ts'
import { Client } from '../support/client.ts'
import { runBuilt, toUrl } from '../support/command.ts'
import { withClient } from '../support/connect.ts'
import { endNodes, ServerNode } from '../support/node.ts'
import { SHARED_SECRET } from '../support/shared-postgres.ts'
import { debianPostgres } from './postgres.ts'
import { programPath } from './programs.ts'

const places = (await debianPostgres()).map(({ binaries }) => dirname(binaries.initdb))
const bin = dirname(programPath('pg_basebackup', places))

/** What docs/operating.md says of ways back that PostgreSQL has, done as it says. */
describe('a database of one’s own', () => {
  let home = ''
  let account: SystemUser

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'taps-recovery-'))
    account = await chooseSystemUser(home)
    await mkdir(join(home, 'archive'))
    await run('initdb', '--pgdata', join(home, 'data'), '--username=taps', '--auth=trust', '--encoding=UTF8')
    await configure('data', {
      archive_mode: 'on',
      archive_command: `test ! -f ${home}/archive/%f && cp %p ${home}/archive/%f`,
    })
    await run('pg_ctl', 'start', '--wait', '--pgdata', join(home, 'data'), '--log', join(home, 'log'))
    await run('createdb', ...reach(), 'taps')
  })

  afterAll(async () => {
    await endNodes()
    for (const cluster of ['data', 'back']) {
      await run('pg_ctl', 'stop', '--mode=fast', '--pgdata', join(home, cluster)).catch(() => undefined)
    }
    await rm(home, { recursive: true, force: true })
  })

  /** Runs one of PostgreSQL's programs to its end. */
  async function run(program: string, ...parameters: string[]): Promise<void> {
    const child = spawnAs(account, join(bin, program), parameters, {
      // A server that it starts keeps these open.
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
    })
    const [words, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'exit')])
    if (code !== 0) throw new Error(`${program} failed: ${words}`)
  }

  const reach = () => ['--host', home, '--username=taps']
  const connection = (database = 'taps') => ({ host: home, port: 5432, user: 'taps', database })
  const settings = (database?: string) => ({
    DATABASE_URL: toUrl(connection(database)),
    SECRET: SHARED_SECRET,
  })

  function configure(cluster: string, values: Record<string, string>): Promise<void> {
    const all = { listen_addresses: '', unix_socket_directories: home, ...values }
    const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`)
    return appendFile(join(home, cluster, 'postgresql.conf'), lines.join(''))
  }

  /** Somebody who wins and claims. */
  async function play(name: string): Promise<void> {
    const node = await ServerNode.start(settings())
    const client = new Client(node.url)
    const { body } = await client.createAccount(name, 'a long enough password')
    expect((await client.play(body.round, 0)).status).toBe(201)
    expect((await client.post('/api/claim')).status).toBe(200)
    await node.end('SIGTERM')
  }

  const ledger = (database?: string) => withClient(connection(database), readLedger)

  test('comes back from pg_dump, with the same ledger', async () => {
    await play('Dumped')
    const file = join(home, 'taps.dump')
    await run('pg_dump', ...reach(), '--format=custom', '--no-owner', '--file', file, 'taps')
    await run('createdb', ...reach(), '--template=template0', 'empty')
    const whole = ['--no-owner', '--exit-on-error', '--single-transaction']
    await run('pg_restore', ...reach(), ...whole, '--dbname=empty', file)
    expect(await runBuilt('ledger', [], settings('empty'))).toMatchObject({ code: 0, stderr: '' })
    expect(await ledger('empty')).toEqual(await ledger())
  })

  test('goes back to a moment before an accident, and its ledger is that of the moment', async () => {
    const fast = ['--gzip', '--checkpoint=fast']
    await run('pg_basebackup', ...reach(), '--pgdata', join(home, 'base'), '--format=tar', ...fast)
    await play('Before')
    const before = await ledger()
    const moment = await withClient(connection(), async client => {
      const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now')
      return rows[0]?.now ?? ''
    })
    await play('After')
    expect(await ledger()).not.toEqual(before)
    await withClient(connection(), client =>
      client.query('drop table holds, prizes cascade; select pg_switch_wal()'),
    )
    await run('pg_ctl', 'stop', '--wait', '--mode=fast', '--pgdata', join(home, 'data'))

    await mkdir(join(home, 'back'), { mode: 0o700 })
    await unpack('base.tar.gz', 'back')
    await unpack('pg_wal.tar.gz', 'back/pg_wal')
    await configure('back', {
      restore_command: `cp ${home}/archive/%f %p`,
      recovery_target_time: moment,
      recovery_target_action: 'promote',
    })
    await writeFile(join(home, 'back', 'recovery.signal'), '')
    await run('pg_ctl', 'start', '--wait', '--pgdata', join(home, 'back'), '--log', join(home, 'log'))
    expect(await runBuilt('ledger', [], settings())).toMatchObject({ code: 0, stderr: '' })
    expect(await ledger()).toEqual(before)
    await play('After all')
    expect(await runBuilt('ledger', [], settings())).toMatchObject({ code: 0, stderr: '' })
  })

  async function unpack(file: string, folder: string): Promise<void> {
    const parameters = ['-xzf', join(home, 'base', file), '-C', join(home, folder)]
    const child = spawnAs(account, 'tar', parameters, { stdio: 'inherit' })
    expect(await once(child, 'exit')).toEqual([0, null])
  }
})
