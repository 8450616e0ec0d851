import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { until } from '../../tests/support/until.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from './embedded-postgres.ts'
import { connectionTo, install, SOCKET_PORT, socketFolder } from './installation.ts'
import { OWNER_LOCK } from './owner.ts'
import { launch, lockHolder } from './postmaster.ts'
import { chooseSystemUser } from './programs.ts'

const silent = { info: () => undefined, warn: () => undefined }

/** The temporary folder of these tests, with special characters in its name. */
let folder = ''
let dataDir = ''
let opened: EmbeddedPostgres[] = []

beforeAll(async () => {
  folder = await temporaryFolder(`taps "$H" 'é', `)
  dataDir = join(folder, 'data')
})

afterEach(async () => {
  for (const postgres of opened) await postgres.stop()
  opened = []
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function open(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: silent, ...options })
  opened.push(postgres)
  return postgres
}

async function value(postgres: EmbeddedPostgres, sql: string): Promise<unknown> {
  const { rows } = await withClient(postgres.connection, client =>
    client.query({ text: sql, rowMode: 'array' }),
  )
  return rows[0]?.[0]
}

/** Reads all rows of the `notes` table as one string. */
const notes = (postgres: EmbeddedPostgres) =>
  value(postgres, "select string_agg(word, ' ' order by word) from notes")

/** Finds the PID of the checkpointer. PostgreSQL restarts when the checkpointer is killed. */
const checkpointer = async (postgres: EmbeddedPostgres) =>
  Number(await value(postgres, "select pid from pg_stat_activity where backend_type = 'checkpointer'"))

const pidFile = () => join(dataDir, 'postgres/cluster/postmaster.pid')

async function postmaster(): Promise<number> {
  const pid = await lockHolder(pidFile())
  if (pid === null) throw new Error('No PostgreSQL is running')
  return pid
}

function mode(path: string): Promise<string> {
  return stat(join(dataDir, path)).then(found => (found.mode & 0o777).toString(8))
}

describe('the embedded PostgreSQL', () => {
  test('is created by one of two simultaneous first starts, and the other start is refused', async () => {
    const starts = await Promise.allSettled([open(), open()])
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = starts.find(start => start.status === 'rejected')
    expect(refused?.reason.message).toBe(
      `TAPS or one of its commands is already running on this data folder (${dataDir}): stop it first, or set DATA_DIR to another`,
    )
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  test('is durable, uses UTF-8, and cannot be reached from the network, by other users or with a wrong password', async () => {
    const { connection } = await open()
    const wanted = {
      listen_addresses: '',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      password_encryption: 'scram-sha-256',
      log_statement: 'none',
    }
    const { rows } = await withClient(connection, client =>
      client.query('select name, setting from pg_settings where name = any ($1)', [Object.keys(wanted)]),
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(wanted)
    const socket = `postgres/socket/.s.PGSQL.${SOCKET_PORT}`
    const places = ['.', 'postgres', 'postgres/socket', socket, 'postgres/password', 'postgres/postgres.log']
    // PostgreSQL's user, if it is another user, may enter the data folder.
    const { uid } = await stat(join(dataDir, 'postgres'))
    const own = uid === process.geteuid?.() ? '700' : '711'
    expect(await Promise.all(places.map(mode))).toEqual([own, '700', '700', '700', '600', '600'])
    const guess = withClient({ ...connection, password: 'a guess' }, client => client.query('select'))
    await expect(guess).rejects.toThrow('password authentication failed')
  })

  test('logs that a connection was ended, without the statement that it ran', async () => {
    const postgres = await open()
    const asleep = value(postgres, "select 'a password', pg_sleep(600)")
    const ended = expect(asleep).rejects.toThrow('terminating connection')
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where query like '%600)'"
    await until('the statement to be ended', async () => (await value(postgres, end)) === true)
    await ended
    const log = await readFile(join(dataDir, 'postgres/postgres.log'), 'utf8')
    expect(log).toContain('FATAL:  terminating connection')
    expect(log).not.toContain('a password')
  })

  test('serves a command while the server runs, and keeps its rows from one start to the next', async () => {
    const owner = await open()
    await value(owner, 'create table notes (word text)')
    await value(owner, "insert into notes values ('a')")
    const running = await postmaster()
    const shared = await open({ exclusive: false })
    expect(await notes(shared)).toBe('a')
    await shared.stop()
    expect(await postmaster()).toBe(running)
    // stop() may be called repeatedly.
    await Promise.all([owner.stop(), owner.stop()])
    expect(existsSync(pidFile())).toBe(false)
    expect(await notes(await open())).toBe('a')
  })

  test('is adopted by the next server when PostgreSQL notices that its server was killed', async () => {
    const installation = await install(dataDir)
    const { pid } = launch(installation, {}, null)
    const maintenance = connectionTo('postgres', installation)
    /** Stands for the killed server's connection, which PostgreSQL notices only while the next server waits. */
    const lost = await until('PostgreSQL to accept connections', async () => {
      const client = new pg.Client(maintenance)
      client.on('error', () => undefined)
      return client.connect().then(
        () => client,
        () => null,
      )
    })
    const { rows } = await lost.query('select pg_backend_pid() as pid, pg_advisory_lock($1)', [OWNER_LOCK])
    const noticed = withClient(maintenance, client =>
      client.query(`do $$ begin
        while not exists (select from pg_locks where locktype = 'advisory' and not granted) loop end loop;
        perform pg_terminate_backend(${rows[0].pid});
      end $$`),
    )
    const next = await open()
    await noticed
    expect(await postmaster()).toBe(pid)
    await next.stop()
    expect(existsSync(pidFile())).toBe(false)
  })

  test('can be stopped while it restarts', async () => {
    let stopped: Promise<void> | undefined
    const warn = () => {
      stopped = postgres.stop()
    }
    const postgres: EmbeddedPostgres = await open({ log: { ...silent, warn } })
    process.kill(await checkpointer(postgres), 'SIGKILL')
    // `warn` calls stop() when the killed process is reported.
    await until('the loss to be reported', () => stopped !== undefined)
    await stopped
    expect(existsSync(pidFile())).toBe(false)
  })

  test('retries while a process of a killed PostgreSQL still runs and writes to the log', async () => {
    const refusals = [
      'pre-existing shared memory block (key 1, ID 2) is still in use',
      'terminating connection due to unexpected postmaster exit',
    ]
    const script = `
      mkdir "$2/refused" && printf 'FATAL:  %s\\n' ${refusals.map(text => `'${text}'`).join(' ')} && exit 1
      exec "$0" "$@"`
    const user = await chooseSystemUser(join(dataDir, 'postgres'))
    const next = await open({ user: { ...user, prefix: [...user.prefix, 'sh', '-c', script] } })
    expect(existsSync(join(dataDir, 'postgres/cluster/refused'))).toBe(true)
    expect(await notes(next)).toBe('a')
  })

  test('starts despite stale lock files whose PID now belongs to another program', async () => {
    const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1_000)'])
    onTestFinished(() => void stranger.kill())
    const lock = [stranger.pid, join(dataDir, 'postgres/cluster'), 1, 5432, '', '', 'ready', ''].join('\n')
    await writeFile(pidFile(), lock, { mode: 0o600 })
    await writeFile(join(dataDir, 'postgres/socket/.s.PGSQL.5432.lock'), lock, { mode: 0o600 })
    expect(await notes(await open())).toBe('a')
    expect(stranger.exitCode).toBeNull()
  })

  test('reports in one line why it does not start, and names the log', async () => {
    const refused = open({ settings: { shared_buffers: 'plenty' } })
    await expect(refused).rejects.toThrow(
      /^PostgreSQL does not start: invalid value for parameter "shared_buffers": "plenty" \(see .+\.log\)$/,
    )
  })

  test.each([
    ['the disk is full', 'ulimit -f 2000; exec "$0" "$@"', /: could not write to file .*: File too large$/],
    ['initdb is killed', 'kill -9 $$', /: initdb was ended by SIGKILL$/],
  ])('reports in one line why it cannot be created: %s', async (_, script, reason) => {
    const user = await chooseSystemUser(join(dataDir, 'postgres'))
    const other = {
      dataDir: join(folder, 'other'),
      user: { ...user, prefix: [...user.prefix, 'sh', '-c', script] },
    }
    await expect(open(other)).rejects.toThrow(/^Cannot make a database in [^\n]+$/)
    await expect(open(other)).rejects.toThrow(reason)
    expect(await readdir(other.dataDir)).toEqual([])
  })

  test('refuses a folder for its socket that other users may enter', async () => {
    const home = join(folder, 'shared')
    await mkdir(join(home, 'socket'), { recursive: true })
    await chmod(join(home, 'socket'), 0o755)
    const user = await chooseSystemUser(folder)
    await chown(join(home, 'socket'), user.uid, user.gid)
    await expect(socketFolder(home, user)).rejects.toThrow(`is not private to user ${user.uid}`)
  })

  test('refuses the data of another major version', async () => {
    const other = join(folder, 'other')
    await mkdir(join(other, 'postgres/cluster'), { recursive: true })
    await writeFile(join(other, 'postgres/cluster/PG_VERSION'), '14\n')
    const user = await chooseSystemUser(join(dataDir, 'postgres'))
    await expect(open({ dataDir: other, user })).rejects.toThrow(
      /was created by PostgreSQL 14, but TAPS .* contains /,
    )
  })
})
