import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { toUrl } from '../../tests/support/command.ts'
import { withClient } from '../../tests/support/connect.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { prepareDatabase } from '../database/prepare.ts'
import { VERSION } from '../lib/version.ts'
import { perform } from './command.ts'
import { doctor } from './doctor.ts'

const world = openWorld()
const paths = openPlaces()
const servers: Server[] = []

afterAll(() => servers.map(server => server.close()))

/** The tests' own server does not wait for the disk. */
const options = (settings: string) => `&options=${encodeURIComponent(`-c synchronous_commit=on ${settings}`)}`

/** What the doctor says with these settings, and of which mark. */
async function examine(settings: Record<string, string> = {}) {
  const variables = {
    DATABASE_URL: toUrl(world.database.connection) + options(''),
    SECRET: TEST_SECRET,
    HOST: '127.0.0.1',
    PORT: new URL(world.game.url).port,
    ...settings,
  }
  const { sound, lines, data } = await perform(doctor, [], variables)
  const found = lines.map(line => /^(ok|WARN|FAIL) +(\w+) +(.+)$/.exec(line) ?? [])
  const words = new Map(found.map(([, mark, check, rest]) => [check, `${mark} ${rest}`]))
  return { sound, lines, data, words }
}

describe('npm run doctor', () => {
  test('looks at everything, one line each, and shows no secret', async () => {
    const { sound, lines, words } = await examine({ METRICS: 'a token of the metrics, 32 or more' })
    expect(sound).toBe(true)
    expect(Object.fromEntries(words)).toMatchObject({
      version: expect.stringMatching(`^ok TAPS ${VERSION}, Node ${process.versions.node}`),
      settings: expect.stringMatching(/SECRET=set .* METRICS=a token/),
      disk: expect.any(String),
      database: expect.stringMatching(/^ok PostgreSQL \d+/),
      tables: expect.stringMatching(/^ok of release \d+: \d+ numbered files, \d+ acts$/),
      role: 'ok may do all that serving does',
      secret: expect.stringMatching(/^WARN fingerprint [0-9a-f]{16}; the game has none noted until/),
      clock: expect.stringMatching(/^ok \d+ ms (behind|ahead of) the database's$/),
      ledger: expect.stringMatching(/^ok both sides are equal: \d+ TAPS$/),
      backup: expect.stringMatching(/^WARN npm run backup has not made one yet$/),
      server: expect.stringMatching(` at ${world.game.url} is ready`),
    })
    expect(lines.at(-1)).toMatch(/^Sound: 0 failed, \d to know of, of \d+ checks\.$/)
    const { password } = world.database.connection
    for (const secret of [TEST_SECRET, 'a token of', `${password}`]) {
      expect(lines.join('\n')).not.toContain(secret)
    }
  })

  test('tells the game’s secret from another one', async () => {
    const game = await paths.emptyDatabase()
    await withClient(game, client => prepareDatabase(client, TEST_SECRET))
    const DATABASE_URL = toUrl(game) + options('')
    const sound = await examine({ DATABASE_URL })
    expect(sound.words.get('secret')).toMatch(/^ok fingerprint [0-9a-f]{16}, the game's$/)
    const other = await examine({ DATABASE_URL, SECRET: 'another secret that is long enough, too' })
    expect(other.words.get('secret')).toMatch(/^FAIL SECRET is not the one that this game was made with/)
    expect(other.sound).toBe(false)
  })

  test('shows no password of DATABASE_URL, wherever it stands there, nor of a database that is away', async () => {
    const DATABASE_URL = 'postgres://taps:hidden1@127.0.0.1:1/game?password=hidden2&sslmode=disable'
    const { sound, lines, words } = await examine({ DATABASE_URL })
    expect(sound).toBe(false)
    expect(words.get('settings')).toContain('DATABASE_URL=postgres://taps@127.0.0.1:1/game ')
    expect(words.get('database')).toMatch(/^FAIL The database cannot be reached/)
    expect(lines.join('\n')).not.toMatch(/hidden/)
  })

  test('is told what fails: the ledger, the clock, the database and its tables', async () => {
    await world.sql('update prize_pool set taps = taps + 1')
    const off = await examine()
    await world.sql('update prize_pool set taps = taps - 1')
    expect(off.sound).toBe(false)
    expect(off.words.get('ledger')).toBe('FAIL it does not hold: npm run ledger says where')

    const url = toUrl(world.database.connection)
    await world.sql('create schema skewed')
    await world.sql(`create function skewed.clock_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.clock_timestamp() + interval '10 seconds' $$`)
    const skewed = await examine({
      DATABASE_URL: url + options('-c search_path=skewed,pg_catalog,public -c synchronous_commit=off'),
    })
    expect(skewed.words.get('clock')).toMatch(
      /^FAIL (9|10)\d{3} ms behind the database's, above CLOCK_TOLERANCE_MS/,
    )
    expect(skewed.words.get('database')).toMatch(/^FAIL PostgreSQL .* synchronous_commit is off/)
    const readOnly = url + options('-c default_transaction_read_only=on')
    expect((await examine({ DATABASE_URL: readOnly })).words.get('database')).toMatch(/^FAIL .*: read-only$/)

    await world.sql('update acts set release = release + 1')
    const newer = await examine()
    await world.sql('update acts set release = release - 2')
    const older = await examine()
    await world.sql('update acts set release = release + 1')
    expect(newer.words.get('tables')).toMatch(/^FAIL of release \d+.* use the newer one$/)
    expect(older.words.get('tables')).toMatch(/^WARN of release \d+.* the next start makes/)
  })

  test('makes nothing where there is no game', async () => {
    const { sound, words } = await examine({ DATABASE_URL: '', DATA_DIR: paths.newFolder() })
    expect(sound).toBe(false)
    expect(words.get('disk')).toMatch(/^FAIL .* cannot be looked at \(ENOENT\)$/)
    expect(words.get('database')).toMatch(/^FAIL There is no game/)
  })
})

describe('of the server', () => {
  /** A server that answers these paths, and 404 to all others. */
  async function serving(answers: Record<string, string>, refusals: Record<string, string> = {}) {
    const server = createServer(({ url = '' }, response) => {
      response.statusCode = url in answers ? 200 : url in refusals ? 503 : 404
      response.end(answers[url] ?? refusals[url])
    })
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { words } = await examine({ PORT: String((server.address() as AddressInfo).port) })
    return words
  }

  const health = (version: string) => JSON.stringify({ status: 'ok', version })
  afterEach(() => servers.splice(0).map(server => server.close()))

  test('it is told that none runs, or something else', async () => {
    const { words } = await examine({ PORT: String(await freePort('127.0.0.1')) })
    expect(words.get('server')).toMatch(/^WARN none answers at http:\/\/127\.0\.0\.1:\d+$/)
    expect(words.get('proxies')).toBe('WARN not known while no server runs')
    for (const answer of ['<html>', 'null', '{}']) {
      expect((await serving({ '/healthz': answer })).get('server')).toMatch(/^WARN something else than TAPS/)
    }
  })

  test('it is told of another version, and when it is not ready', async () => {
    const older = await serving({ '/healthz': health('0.9.0'), '/readyz': '' })
    expect(older.get('server')).toMatch(/^WARN 0\.9\.0 at .* not of this version/)
    const unready = await serving({ '/healthz': health(VERSION) })
    expect(unready.get('server')).toMatch(/^FAIL .* is not ready$/)
    const why = { '/readyz': JSON.stringify({ title: 'The clock is off' }) }
    const wrong = await serving({ '/healthz': health(VERSION) }, why)
    expect(wrong.get('server')).toMatch(/^FAIL .* is not ready: The clock is off$/)
    const good = await serving({ '/healthz': health(VERSION), '/readyz': '' })
    expect(good.get('server')).toMatch(/^ok .* is ready$/)
  })
})
