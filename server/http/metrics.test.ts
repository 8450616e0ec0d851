import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { TEST_SECRET, type TestGame } from '../../tests/support/game.ts'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import { gameId } from '../database/fingerprint.ts'
import { VERSION } from '../lib/version.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** The figures of a node, by name and labels as they are written; with the kind of each name. */
async function scrape({ url }: Pick<TestGame, 'url'>) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n')
  const kinds = new Map<string, string>()
  const values = new Map<string, number>()
  for (const line of lines) {
    const [, name, kind] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (name && kind) kinds.set(name, kind)
    const [, sample, value] = /^([^#]\S*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (sample) values.set(sample, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
  }
  return { text, kinds, of: (sample: string) => values.get(sample) }
}

describe('the database', () => {
  test('is shown with whether all TAPS are there', async () => {
    const { figures } = world.game.services
    await world.newcomer().createAccount('Figured Out', PASSWORD)
    await figures.look()
    const { of } = await scrape(world.game)
    expect([of('taps_database_up'), of('taps_ledger_sound')]).toEqual([1, 1])
    expect(of('taps_ledger_age_seconds')).toBeGreaterThanOrEqual(0)

    await world.sql('update users set taps_balance = taps_balance + 7')
    await figures.look()
    expect((await scrape(world.game)).of('taps_ledger_sound')).toBe(0)
    await world.sql('update users set taps_balance = taps_balance - 7')
    await figures.look()
    expect((await scrape(world.game)).of('taps_ledger_sound')).toBe(1)
  })

  test('is shown with how long ago the last backup was', async () => {
    const { figures } = world.game.services
    await figures.look()
    expect((await scrape(world.game)).of('taps_last_backup_age_seconds')).toBe(Number.POSITIVE_INFINITY)
    await world.sql(`insert into operator_acts (act, by_user, created_at) values
      ('backup', 'ops', now() - interval '3 days'), ('backup', 'ops', now() - interval '2 hours'),
      ('rename', 'ops', now())`)
    await figures.look()
    const age = (await scrape(world.game)).of('taps_last_backup_age_seconds') ?? Number.NaN
    expect(Math.floor(age / 3_600), 'hours, of the newest one').toBe(2)
  })

  test('keeps nobody waiting who asks for the figures while it hangs, and is shown to be away', async () => {
    const relay = await DatabaseRelay.open(world.database.connection)
    await relay.mend()
    const node = await world.addNode({}, undefined, relay.connection)
    const { figures } = node.services
    await vi.waitUntil(() => !Number.isNaN(figures.latest.ok), { timeout: 60_000 })
    relay.hang()
    let isRead = false
    const read = figures.look().then(() => {
      isRead = true
    })
    await scrape(node)
    expect(isRead, 'the figures came before the database answered').toBe(false)
    await relay.cut()
    await read
    await vi.waitFor(async () => expect((await scrape(node)).of('taps_database_up')).toBe(0), {
      timeout: 60_000,
    })
    expect((await scrape(node)).of('taps_ledger_sound')).not.toBeNaN()
    await node.close()
  })
})

test('a check of the ledger under way ends with the node', async () => {
  const node = await world.addNode()
  const lock = await world.pool.connect()
  await lock.query('begin; lock table attempts in access exclusive mode')
  try {
    const check = node.services.figures.look()
    const isWaiting = async () => {
      const waiting = await world.sql(`select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%taps_added%'`)
      return waiting.length > 0
    }
    await vi.waitUntil(isWaiting, { timeout: 60_000 })
    await node.close()
    await check
  } finally {
    await lock.query('rollback')
    lock.release()
  }
})

test.each([
  [['loopback'], 'yes'],
  [false, 'no'],
] as const)('what a proxy passed on is counted: TRUST_PROXY %j believes it: %s', async (trust, believed) => {
  const node = await world.addNode({ trustProxy: trust && [...trust] })
  await fetch(node.url)
  await fetch(node.url, { headers: { 'x-forwarded-for': '192.0.2.7' } })
  const { of } = await scrape(node)
  const [yes, no] = ['yes', 'no'].map(word => of(`taps_forwarded_requests_total{believed="${word}"}`))
  expect({ yes, no }).toEqual(believed === 'yes' ? { yes: 1, no: 0 } : { yes: 0, no: 1 })
})

test('attempts, wins and requests are counted, and nobody is named', async () => {
  const node = await world.addNode()
  const player = world.newcomer(node)
  const { body } = await player.createAccount('Never A Figure', PASSWORD)
  const { body: missed } = await player.play(body.round, 500)
  await player.play(missed.round, 0)
  const { of, text } = await scrape(node)
  expect([of('taps_attempts_total'), of('taps_wins_total'), of('taps_viewers')]).toEqual([2, 1, 0])
  expect(of('taps_request_seconds_count{route="/api/attempts",status="201"}')).toBe(2)
  const build = `version="${VERSION}",node="${process.versions.node}",game="${gameId(TEST_SECRET)}"`
  expect(of(`taps_build_info{${build}}`)).toBe(1)
  expect(text).not.toMatch(/Never A Figure|127\.0\.0\.1/)
})

test('every figure that an alert names is there', async () => {
  const { kinds } = await scrape(world.game)
  const text = readFileSync(new URL('../../deploy/prometheus/taps.rules.yml', import.meta.url), 'utf8')
  const names = new Set(text.match(/\b(?:taps|nodejs|process)_\w+/g))
  expect(names.size).toBe(4)
  for (const name of names) {
    expect(kinds.has(name) || kinds.has(name.replace(/_(bucket|sum|count)$/, '')), name).toBe(true)
  }
})
