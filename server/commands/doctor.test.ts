import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { toUrl } from '../../tests/support/command.ts'
import { withClient } from '../../tests/support/connect.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { gameId } from '../database/fingerprint.ts'
import { prepareDatabase } from '../database/prepare.ts'
import { VERSION } from '../lib/project.ts'
import { DOCTOR } from './doctor.ts'

const world = openWorld()
const paths = openPlaces()
const servers: Server[] = []

afterAll(() => servers.map(server => server.close()))

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
      database: expect.stringMatching(/^ok PostgreSQL \d+/),
      tables: 'ok match this release',
      secret: expect.stringMatching(/^ok fingerprint [0-9a-f]{16}, as stored in the game$/),
      ledger: expect.stringMatching(/^ok balanced\. Added by attempts: \d+ TAPS$/),
      backup: 'WARN no backup has been made with ./taps backup yet',
      server: `ok ${VERSION} at ${world.game.url} is ready`,
    })
    expect(lines.at(-1)).toBe(`TAPS ${VERSION}, Node ${process.versions.node}: 0 of 7 checks failed.`)
    const { password } = world.database.connection
    for (const secret of [TEST_SECRET, `${password}`]) expect(lines.join('\n')).not.toContain(secret)
  })

  test('fails when SECRET or the server belongs to another game', async () => {
    const game = await paths.emptyDatabase()
    await withClient(game, client => prepareDatabase(client, TEST_SECRET))
    const DATABASE_URL = toUrl(game) + options('')
    const same = await examine({ DATABASE_URL })
    expect(same.checks.get('secret')).toMatch(/^ok fingerprint [0-9a-f]{16}, as stored in the game$/)
    const other = await examine({ DATABASE_URL, SECRET: 'another secret that is long enough, too' })
    expect(other.checks.get('secret')).toMatch(/^FAIL SECRET differs from the game's secret/)
    expect(other.checks.get('server')).toMatch(/^FAIL another game answers at /)
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
    const readOnly = url + options('-c default_transaction_read_only=on')
    expect((await examine({ DATABASE_URL: readOnly })).checks.get('database')).toMatch(/^FAIL .*is read-only/)
  })

  test('fails when there is no game', async () => {
    const { ok, checks } = await examine({ DATABASE_URL: '', DATA_DIR: paths.newFolder() })
    expect(ok).toBe(false)
    expect(checks.get('disk')).toMatch(/^FAIL .* does not exist; correct DATA_DIR$/)
    expect(checks.get('database')).toMatch(/^FAIL There is no game/)
  })
})

describe('the server line of ./taps doctor', () => {
  /** Returns the doctor's line about a server with these metrics and this answer to `/readyz`. */
  async function lineOn(
    metrics: string,
    ready: { status: number; title?: string },
    settings: Record<string, string> = { TRUST_PROXY: '10.0.0.1' },
  ) {
    const server = createServer(({ url }, response) => {
      response.statusCode = url === '/readyz' ? ready.status : 200
      response.end(url === '/metrics' ? metrics : JSON.stringify({ title: ready.title }))
    })
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const PORT = String((server.address() as AddressInfo).port)
    const { checks } = await examine({ PORT, ...settings })
    return checks.get('server')
  }

  const figures = (version: string) => {
    const build = { version, node: '22.0.0', game: gameId(TEST_SECRET) }
    return JSON.stringify([{ name: 'taps_build_info', values: [{ value: 1, labels: build }] }])
  }
  afterEach(() => servers.splice(0).map(server => server.close()))

  test('warns when no server runs, or when another program answers', async () => {
    const { checks } = await examine({ PORT: String(await freePort('127.0.0.1')) })
    expect(checks.get('server')).toMatch(/^WARN no server answers at http:\/\/127\.0\.0\.1:\d+$/)
    expect(await lineOn('<html>', { status: 200 })).toMatch(/^WARN the server at .* is not TAPS/)
  })

  test('warns about another version, and fails when the server is not ready', async () => {
    expect(await lineOn(figures('0.9.0'), { status: 200 })).toMatch(
      /^WARN 0\.9\.0 at .* runs another version/,
    )
    const wrong = await lineOn(figures(VERSION), { status: 503, title: 'The database is unavailable' })
    expect(wrong).toMatch(/^FAIL .* is not ready: The database is unavailable$/)
  })
})
