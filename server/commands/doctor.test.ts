import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { toUrl } from '../../tests/support/command.ts'
import { withClient } from '../../tests/support/connect.ts'
import { damageIndex, insertUsers, NAMES } from '../../tests/support/damaged-index.ts'
import { createTestDatabase } from '../../tests/support/database.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { VERSION } from '../lib/project.ts'
import { REFUSED_WORDS_FILE } from '../people/refused-words.ts'
import { DOCTOR } from './doctor.ts'
import { findLostAccounts } from './lost-accounts.ts'

const world = openWorld()
const paths = openPlaces()

/** Returns connection options. The doctor requires synchronous_commit, which is off on the test server. */
const options = (settings: string) => `&options=${encodeURIComponent(`-c synchronous_commit=on ${settings}`)}`

/** Runs the doctor with these settings. Returns the printed lines, and a map of the results by check. */
async function examine(settings: Record<string, string> = {}) {
  const variables = {
    DATABASE_URL: toUrl(world.database.connection) + options(''),
    SECRET: TEST_SECRET,
    HOST: '127.0.0.1',
    PORT: new URL(world.game.url).port,
    ...settings,
  }
  const { ok, lines } = await runInProcess([DOCTOR], ['doctor'], variables)
  const found = lines.map(line => /^(ok|WARN|FAIL) +(\w+) +(.+)$/.exec(line) ?? [])
  const checks = new Map(found.map(([, status, check, message]) => [check, `${status} ${message}`]))
  return { ok, lines, checks }
}

describe('./taps doctor', () => {
  test('prints one line for each check, and shows no secret', async () => {
    const { ok, lines, checks } = await examine()
    expect(ok, lines.join('\n')).toBe(true)
    expect(Object.fromEntries(checks)).toMatchObject({
      disk: expect.any(String),
      words: expect.stringMatching(/^ok \d+ words are refused in names$/),
      database: expect.stringMatching(/^ok PostgreSQL \d+/),
      secret: expect.stringMatching(/^ok fingerprint [0-9a-f]{16}, as stored in the game$/),
      accounts: 'ok every account is found by its name',
      ledger: expect.stringMatching(/^ok balanced\. Added by attempts: \d+ TAPS$/),
      backup: 'WARN no backup has been made with ./taps backup yet',
      server: `ok ${VERSION} at ${world.game.url} is ready`,
    })
    expect(lines.at(-1)).toBe(`TAPS ${VERSION}, Node ${process.versions.node}: 0 of 8 checks failed.`)
    const { password } = world.database.connection
    for (const secret of [TEST_SECRET, `${password}`]) expect(lines.join('\n')).not.toContain(secret)
  })

  test('fails when SECRET belongs to another game', async () => {
    const other = await examine({ SECRET: 'another secret that is long enough, too' })
    expect(other.checks.get('secret')).toMatch(/^FAIL SECRET differs from the game's secret/)
    expect(other.ok).toBe(false)
  })

  test('shows no password from DATABASE_URL when the database is unavailable', async () => {
    const DATABASE_URL = 'postgres://taps:hidden1@127.0.0.1:1/game?password=hidden2&sslmode=disable'
    const { ok, lines, checks } = await examine({ DATABASE_URL })
    expect(ok).toBe(false)
    expect(checks.get('database')).toMatch(/^FAIL The database cannot be used/)
    expect(lines.join('\n')).not.toMatch(/hidden/)
  })

  test('fails when the ledger is out of balance or the database has a wrong setting', async () => {
    await world.sql('update prize_pool set taps = taps + 1')
    const off = await examine()
    await world.sql('update prize_pool set taps = taps - 1')
    expect(off.ok).toBe(false)
    expect(off.checks.get('ledger')).toBe('FAIL out of balance; run ./taps ledger for details')

    const url = toUrl(world.database.connection)
    const unsafe = await examine({ DATABASE_URL: url + options('-c synchronous_commit=off') })
    expect(unsafe.checks.get('database')).toMatch(/^FAIL PostgreSQL .* synchronous_commit is off/)
  })

  test('fails when a damaged index does not find accounts, and when two users have the same name', async () => {
    const { connection, drop } = await createTestDatabase()
    onTestFinished(drop)
    const accounts = async () => {
      const { ok, checks } = await examine({ DATABASE_URL: toUrl(connection) + options('') })
      return { ok, line: checks.get('accounts') }
    }
    await withClient(connection, async client => {
      await insertUsers(client, NAMES)
      await damageIndex(connection)
      const [lost, ...others] = await findLostAccounts(client)
      expect(await accounts()).toEqual({
        ok: false,
        line:
          `FAIL Accounts that their names do not find: ${others.length + 1}, such as "${lost?.username}" (id:${lost?.id}). ` +
          'The index is damaged: run reindex table users in psql',
      })
      const [twin] = await insertUsers(client, [lost?.username ?? ''])
      expect((await accounts()).line).toMatch(
        new RegExp(` Two have the same name: run \\./taps users rename id:${twin} <new-name>$`),
      )
    })
  })

  test('fails when there is no game', async () => {
    const { ok, checks } = await examine({ DATABASE_URL: '', DATA_DIR: paths.newFolder() })
    expect(ok).toBe(false)
    expect(checks.get('disk')).toMatch(/^FAIL .* does not exist; correct DATA_DIR$/)
    expect(checks.get('database')).toMatch(/^FAIL There is no game/)
  })
})

/** Returns the doctor's line about a server with this version and this answer to `/readyz`. */
async function lineOn(version: string, ready: { status: string; title?: string }) {
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === '/readyz' ? ready : { status: 'ok', version }))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return (await examine({ PORT: `${port}` })).checks.get('server')
}

test('./taps doctor warns when no server runs, and when the server is another version', async () => {
  const { checks } = await examine({ PORT: String(await freePort('127.0.0.1')) })
  expect(checks.get('server')).toMatch(/^WARN no server answers at http:\/\/127\.0\.0\.1:\d+$/)
  expect(await lineOn('0.9.0', { status: 'ok' })).toMatch(/^WARN 0\.9\.0 at .* runs another version/)
})

describe('./taps doctor fails as a start would', () => {
  test('when another program uses the port', async () => {
    expect(await lineOn('', { status: 'ok' })).toMatch(/^FAIL the server at .* is not TAPS; set PORT/)
    const silent = createNetServer(socket => socket.destroy())
    onTestFinished(() => void silent.close())
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    const { checks } = await examine({ PORT: `${port}` })
    expect(checks.get('server')).toMatch(new RegExp(`^FAIL .*Port ${port} is taken`))
    const elsewhere = await examine({ HOST: '192.0.2.1', PORT: `${await freePort('127.0.0.1')}` })
    expect(elsewhere.checks.get('server')).toMatch(/^FAIL .*HOST 192\.0\.2\.1 is not an address/)
  }, 60_000)

  test.each([
    ['', {}],
    [', also while the other database is unavailable', { DATABASE_URL: 'postgres://taps@127.0.0.1:1/game' }],
  ])('when the data folder holds a game too%s', async (_, settings) => {
    const DATA_DIR = paths.newFolder()
    await mkdir(join(DATA_DIR, 'postgres'), { recursive: true })
    const { checks } = await examine({ DATA_DIR, ...settings })
    expect(checks.get('database')).toMatch(/^FAIL .* holds a game in the embedded database, .* rename /)
  })

  test('when the list of refused words cannot be used', async () => {
    const DATA_DIR = paths.newFolder()
    await mkdir(DATA_DIR)
    await writeFile(join(DATA_DIR, REFUSED_WORDS_FILE), '...\n')
    expect((await examine({ DATA_DIR })).checks.get('words')).toMatch(/^FAIL /)
  })

  test('when the role does not own the tables', async () => {
    const role = 'visitor'
    await world.sql(`create role ${role} login password 'visitor'`)
    onTestFinished(async () => {
      await world.sql(`drop owned by ${role}; drop role ${role}`)
    })
    await world.sql(`grant select on all tables in schema public to ${role}`)
    const visitor = { ...world.database.connection, user: role, password: role }
    const { checks } = await examine({ DATABASE_URL: toUrl(visitor) + options('') })
    expect(checks.get('database')).toMatch(
      /^FAIL The role of DATABASE_URL cannot create or change the tables/,
    )
  })
})

test('./taps doctor does not praise a backup that is not on this machine, or is damaged', async () => {
  const folder = paths.newFolder()
  await world.sql(`insert into operator_acts (act, detail, by_user) values ('backup', $1, 'root')`, [folder])
  onTestFinished(async () => {
    await world.sql(`delete from operator_acts where detail = $1`, [folder])
  })
  expect((await examine()).checks.get('backup')).toMatch(/^WARN .*, which is not on this machine; run/)
  await mkdir(folder)
  expect((await examine()).checks.get('backup')).toMatch(/^WARN .* is damaged or incomplete/)
})

test('./taps doctor fails when the server is not ready', async () => {
  const line = await lineOn(VERSION, { status: '503', title: 'The database is unavailable' })
  expect(line).toMatch(/^FAIL .* is not ready: The database is unavailable$/)
})
