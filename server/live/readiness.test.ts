import { afterEach, expect, test, vi } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'
import { readLedger } from '../play/ledger.ts'
import { DatabasePoller } from './poller.ts'
import { HANDOVER_MS, Readiness } from './readiness.ts'

const world = openWorld()

afterEach(() => vi.restoreAllMocks())

function newReadiness(): Readiness {
  const { poller } = world.game.app
  return new Readiness(world.pool, poller)
}

/** Reads the last attempt ID taken. A probe takes an ID, as an attempt does. */
async function lastId(): Promise<number> {
  const [row] = await world.sql<{ taken: number }>(
    `select case when is_called then last_value else 0 end as taken from attempts_id_seq`,
  )
  return row?.taken ?? Number.NaN
}

test('probes the database only once for many checks, and leaves no rows', async () => {
  const readiness = newReadiness()
  const before = await readLedger(world.pool)
  const taken = await lastId()
  await readiness.check()
  await Promise.all(Array.from({ length: 20 }, () => readiness.check()))
  expect(await lastId()).toBe(taken + 1)
  expect(await readLedger(world.pool)).toEqual(before)
  expect(await world.sql(`select from attempts where username = 'rehearsal'`)).toEqual([])
})

test('does not probe the database while attempts are recorded', async () => {
  const readiness = newReadiness()
  readiness.recorded()
  const taken = await lastId()
  await readiness.check()
  expect(await lastId()).toBe(taken)
})

test('is not ready while the database answers reads but cannot record attempts', async () => {
  const { readiness } = world.game.app
  const guest = world.newcomer()
  await guest.play(500)
  await world.sql(`
    create function refuse() returns trigger language plpgsql as $$ begin raise disk_full; end $$;
    create trigger refuse before insert on attempts execute function refuse()`)
  expect((await guest.play(500)).status).toBe(503)
  const title = 'The database cannot record attempts'
  for (let check = 0; check < 2; check += 1) {
    await expect(readiness.check()).rejects.toMatchObject({ code: 'unavailable', details: { title } })
  }
  await world.sql('drop function refuse cascade')
  await readiness.check()
})

test('is ready after an outage once a probe that began 5 s after the first answer has committed', async () => {
  const poller = new DatabasePoller(world.database.connection, world.game.server.log)
  const readiness = new Readiness(world.pool, poller)
  const taken = await lastId()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const answerAt = (moment: number) => {
    now = moment
    poller.health.answered(moment)
    poller.emit('polled', { attempts: 0, boards: 0 })
  }
  answerAt(0)
  readiness.assertReady()
  answerAt(60_000)
  const unavailable = expect.objectContaining({
    code: 'unavailable',
    details: { retryAfter: 1, isUnlogged: true },
  })
  expect(() => readiness.assertReady()).toThrow(unavailable)
  answerAt(60_000 + HANDOVER_MS - 1)
  expect(await lastId()).toBe(taken)
  answerAt(60_000 + HANDOVER_MS)
  await vi.waitFor(() => readiness.assertReady(), { timeout: 60_000 })
  expect(await lastId()).toBe(taken + 1)
  await poller.close()
})

test('refuses every request while the database is in doubt', async () => {
  const node = await world.addNode()
  vi.spyOn(node.app.poller.health, 'isInDoubt').mockReturnValue(true)
  for (const { method, url } of Object.values<Endpoint>(ENDPOINTS)) {
    expect((await fetch(node.url + url, { method })).status, url).toBe(503)
  }
})
