import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { LIMIT_LABELS } from '../../contract/limits.ts'
import { Client } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import { VERSION } from '../lib/version.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** The figures of a node, by name and labels as they are written; with the kind of each name. */
async function scrape({ url }: TestGame) {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n')
  const kinds = new Map<string, string>()
  const values = new Map<string, number>()
  for (const line of lines) {
    const [, name, kind] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (name && kind) kinds.set(name, kind)
    const [, sample, value] = /^([^#]\S*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (sample) values.set(sample, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
  }
  return { kinds, values, of: (sample: string) => values.get(sample) }
}

test('the build is named', async () => {
  const figures = await scrape(world.game)
  const node = process.versions.node
  expect(figures.of(`taps_build_info{version="${VERSION}",node="${node}"}`)).toBe(1)
})

describe('the database', () => {
  test('is shown with where the TAPS are, and whether they are all there', async () => {
    const { figures, ledger } = world.game.services
    const player = world.newcomer()
    const { body } = await player.createAccount('Figured Out', PASSWORD)
    const won = await player.play(body.round, 0)
    await player.post('/api/claim')
    const missed = await player.play(won.body.round, 500)
    const hit = await player.play(missed.body.round, 0)
    await player.play(hit.body.round, 500)
    // One that is under way may have begun before.
    const check = async () => {
      await ledger.check()
      await ledger.check()
    }
    await figures.read()
    await check()
    const { of } = await scrape(world.game)
    expect([of('taps_pool'), of('taps_held'), of('taps_balances')]).toEqual([1, 2, 1])
    expect([of('taps_database_up'), of('taps_ledger_sound'), of('taps_database_waiting')]).toEqual([1, 1, 0])
    expect(of('taps_database_connections')).toBeGreaterThan(0)
    expect(of('taps_ledger_age_seconds')).toBeLessThan(60)

    await world.sql('update users set taps_balance = taps_balance + 7')
    await check()
    expect((await scrape(world.game)).of('taps_ledger_sound')).toBe(0)
    await world.sql('update users set taps_balance = taps_balance - 7')
    await check()
    expect((await scrape(world.game)).of('taps_ledger_sound')).toBe(1)
  })

  test('is shown with how long ago the last backup was', async () => {
    const { figures } = world.game.services
    await figures.read()
    expect((await scrape(world.game)).of('taps_last_backup_age_seconds')).toBe(Number.POSITIVE_INFINITY)
    await world.sql(`insert into operator_acts (act, by_user, created_at) values
      ('backup', 'ops', now() - interval '3 days'), ('backup', 'ops', now() - interval '2 hours'),
      ('rename', 'ops', now())`)
    await figures.read()
    const age = (await scrape(world.game)).of('taps_last_backup_age_seconds')
    expect(age).toBeGreaterThanOrEqual(7_200)
    expect(age).toBeLessThan(7_260)
  })

  test('keeps nobody waiting who asks for the figures while it hangs, and is shown to be away', async () => {
    const relay = await DatabaseRelay.open(world.database.connection)
    await relay.mend()
    const node = await world.addNode({}, undefined, relay.connection)
    await vi.waitUntil(() => !Number.isNaN(node.services.figures.pool))
    await relay.cut()
    const read = node.services.figures.read()
    const began = performance.now()
    await scrape(node)
    expect(performance.now() - began).toBeLessThan(1_000)
    await read
    await vi.waitFor(async () => expect((await scrape(node)).of('taps_database_up')).toBe(0), {
      timeout: 60_000,
    })
    expect((await scrape(node)).of('taps_pool')).not.toBeNaN()
    await node.close()
    await relay.cut()
  })
})

test('a check of the ledger under way ends with the node', async () => {
  const node = await world.addNode()
  const lock = await world.pool.connect()
  await lock.query('begin; lock table attempts in access exclusive mode')
  try {
    const check = node.services.ledger.check()
    await vi.waitUntil(async () => {
      const waiting = await world.sql(`select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%taps_added%'`)
      return waiting.length > 0
    })
    await node.close()
    await check
  } finally {
    await lock.query('rollback')
    lock.release()
  }
})

describe('what is refused', () => {
  test('is counted by the limit that was used up', async () => {
    const node = await world.addNode({ rateLimits: true })
    const before = await scrape(node)
    for (const limit of LIMIT_LABELS) expect(before.of(`taps_limited_total{limit="${limit}"}`), limit).toBe(0)
    const isRefused = async () => (await fetch(`${node.url}/no-such-page`)).status === 429
    await vi.waitUntil(isRefused, { interval: 0, timeout: 60_000 })
    expect((await scrape(node)).of('taps_limited_total{limit="misses"}')).toBe(1)
  })

  test('is counted by its reason where it was a sign-in', async () => {
    const client = world.newcomer()
    await client.createAccount('Refused Here', PASSWORD)
    const before = await scrape(world.game)
    await new Client(world.game.url).login('Refused Here', 'not that one')
    await new Client(world.game.url).createAccount('Refused Here', 'not that one')
    await new Client(world.game.url).login('Nobody At All', PASSWORD)
    await new Client(world.game.url).login('Refused Here', PASSWORD)
    const after = await scrape(world.game)
    const more = (reason: string) => {
      const sample = `taps_sign_ins_refused_total{reason="${reason}"}`
      return (after.of(sample) ?? 0) - (before.of(sample) ?? 0)
    }
    expect(['invalid_password', 'username_taken', 'unknown_username'].map(more)).toEqual([1, 1, 1])
  })
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

test('the recorder shows how large its batches are and how long an attempt waits for one', async () => {
  const node = await world.addNode()
  const players = Array.from({ length: 20 }, () => world.newcomer(node))
  const rounds = await Promise.all(players.map(async player => (await player.session()).round))
  const starts = await Promise.all(
    players.map((player, n) => player.start(rounds[n] ?? { token: '', target_time: 1 })),
  )
  await Promise.all(
    players.map((player, n) =>
      player.post('/api/attempts', { start: starts[n], username: 'Batched', actual_time: 9 }),
    ),
  )
  const { of } = await scrape(node)
  expect(of('taps_recorder_batch_attempts_sum')).toBe(20)
  expect(of('taps_recorder_wait_seconds_count')).toBe(of('taps_recorder_batch_attempts_count'))
})

test('no counter ever falls, nor goes away', async () => {
  const before = await scrape(world.game)
  const player = world.newcomer()
  const { body } = await player.play((await player.session()).round, 0)
  await player.play(body.round, 500)
  await world.game.services.figures.read()
  await sleep(0)
  const after = await scrape(world.game)
  const counts = [...before.values].filter(([sample]) => {
    const name = sample.replace(/\{.*/, '')
    const kind = before.kinds.get(name) ?? before.kinds.get(name.replace(/_(bucket|sum|count)$/, ''))
    return kind === 'counter' || kind === 'histogram'
  })
  expect(counts.length).toBeGreaterThan(50)
  for (const [sample, value] of counts) expect(after.of(sample), sample).toBeGreaterThanOrEqual(value)
})

test.each(['grafana/taps.json', 'prometheus/taps.rules.yml'])(
  'every figure that %s names is there',
  async file => {
    const { kinds } = await scrape(world.game)
    const text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
    const names = new Set(text.match(/\b(?:taps|nodejs|process)_\w+/g))
    expect(names.size).toBeGreaterThan(8)
    for (const name of names) {
      expect(kinds.has(name) || kinds.has(name.replace(/_(bucket|sum|count)$/, '')), name).toBe(true)
    }
  },
)
