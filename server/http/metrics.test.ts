import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import type { TestGame } from '../../tests/support/game.ts'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import { VERSION } from '../lib/project.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Reads a node's metrics. `of` returns a value by name and labels; `kinds` maps names to types. */
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

describe('database metrics', () => {
  test('include the age of the newest backup', async () => {
    const age = async () => (await scrape(world.game)).of('taps_last_backup_age_seconds') ?? Number.NaN
    expect(await age()).toBe(Number.POSITIVE_INFINITY)
    await world.sql(`insert into operator_acts (act, by_user, created_at) values
      ('backup', 'ops', now() - interval '3 days'), ('backup', 'ops', now() - interval '2 hours'),
      ('rename', 'ops', now())`)
    expect(Math.floor((await age()) / 3_600), 'age in hours').toBe(2)
  })

  test('show a database that hangs as unavailable', async () => {
    const relay = await DatabaseRelay.open(world.database.connection)
    await relay.repair()
    const node = await world.addNode({}, undefined, relay.connection)
    relay.hang()
    vi.spyOn(node.app.readiness, 'isUnavailable', 'get').mockReturnValue(true)
    expect((await scrape(node)).of('taps_database_up')).toBe(0)
    await relay.cut()
    await node.close()
  })
})

test('counts attempts, wins and requests, and exports no names or addresses', async () => {
  const node = await world.addNode()
  const player = world.newcomer(node)
  await player.createAccount('Never A Figure', PASSWORD)
  await player.play(500)
  await player.play(0)
  const { of, text } = await scrape(node)
  expect([of('taps_attempts_total'), of('taps_wins_total'), of('taps_viewers')]).toEqual([2, 1, 0])
  expect(of('taps_request_seconds_count{route="/api/attempts",status="201"}')).toBe(2)
  const build = `version="${VERSION}",node="${process.versions.node}"`
  expect(of(`taps_build_info{${build}}`)).toBe(1)
  expect(text).not.toMatch(/Never A Figure|127\.0\.0\.1/)
})

test('exports every metric that an alert uses', async () => {
  const { kinds } = await scrape(world.game)
  const text = readFileSync(new URL('../../deploy/prometheus/taps.rules.yml', import.meta.url), 'utf8')
  const names = new Set(text.match(/\b(?:taps|nodejs|process)_\w+/g))
  expect(names.size).toBe(3)
  for (const name of names) {
    expect(kinds.has(name) || kinds.has(name.replace(/_(bucket|sum|count)$/, '')), name).toBe(true)
  }
})
