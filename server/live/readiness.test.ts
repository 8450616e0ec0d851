import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ENDPOINTS, type Endpoint } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'
import { readLedger } from '../commands/ledger.ts'
import { HANDOVER_MS, Readiness } from './readiness.ts'

const world = openWorld()

afterEach(() => vi.restoreAllMocks())

/** Opens the readiness of a database that has answered. */
function newReadiness(): Readiness {
  const readiness = new Readiness(world.pool)
  readiness.answered()
  return readiness
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

test('does not probe the database while attempts are recorded, but asks whether it answers', async () => {
  const readiness = newReadiness()
  readiness.recorded()
  const taken = await lastId()
  await readiness.check()
  expect(await lastId()).toBe(taken)
  vi.spyOn(world.pool, 'query').mockImplementationOnce(() => Promise.reject(new Error('gone')))
  const title = 'The database cannot be reached'
  await expect(readiness.check()).rejects.toMatchObject({ code: 'unavailable', details: { title } })
})

test.each([
  [
    'the disk is full',
    `create function refuse() returns trigger language plpgsql as $$ begin raise disk_full; end $$;
    create trigger refuse before insert on attempts execute function refuse()`,
    'drop function refuse cascade',
  ],
  [
    'a function is missing',
    'alter function record_batch rename to elsewhere',
    'alter function elsewhere rename to record_batch',
  ],
])('is not ready while the database answers reads, but %s', async (_, begin, end) => {
  const guest = world.newcomer()
  await guest.play(500)
  await world.sql(begin)
  expect((await guest.play(500)).status).toBe(503)
  const title = 'The database cannot record attempts'
  for (let check = 0; check < 2; check += 1) {
    expect((await guest.get('/readyz')).body).toMatchObject({ status: 503, code: 'unavailable', title })
  }
  await world.sql(end)
  expect((await guest.get('/readyz')).status).toBe(200)
})

test('refuses every request while the database is in doubt', async () => {
  const node = await world.addNode()
  const later = performance.now() + 3_600_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  for (const { method, url } of [
    ...Object.values<Endpoint>(ENDPOINTS),
    { method: 'GET', url: '/api/live' },
  ]) {
    expect((await fetch(node.url + url, { method })).status, url).toBe(503)
  }
})

describe('a database that was silent', () => {
  /** Opens the readiness of a database that answered at 0 ms. Each probe ends when the test calls `commit`. */
  function open() {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    let commit: () => void = () => undefined
    const query = vi.fn(() => new Promise(resolve => (commit = () => resolve({}))))
    const readiness = new Readiness({ query } as never)
    const answerAt = async (ms: number) => {
      now = ms
      readiness.answered()
      await turn()
    }
    const end = async () => {
      commit()
      await turn()
    }
    const isReadyAt = (ms: number) => {
      now = ms
      try {
        readiness.assertReady()
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'unavailable', details: { retryAfter: 1, isUnlogged: true } })
        return false
      }
    }
    return { answerAt, end, isReadyAt, query }
  }

  test('is trusted only after its first answer, and for 5 s after an answer', async () => {
    const { answerAt, isReadyAt, query } = open()
    expect(isReadyAt(0)).toBe(false)
    await answerAt(0)
    expect([5_000, 5_001].map(isReadyAt)).toEqual([true, false])
    await answerAt(5_000)
    expect(isReadyAt(5_001)).toBe(true)
    expect(query).not.toHaveBeenCalled()
  })

  test('is trusted again once a probe that began 5 s after the first answer has committed', async () => {
    const { answerAt, end, isReadyAt, query } = open()
    await answerAt(0)
    await answerAt(60_000)
    await answerAt(60_000 + HANDOVER_MS - 1)
    expect(query).not.toHaveBeenCalled()
    await answerAt(60_000 + HANDOVER_MS)
    expect(query.mock.calls).toEqual([['select rehearse_attempt()']])
    expect(isReadyAt(60_000 + HANDOVER_MS)).toBe(false)
    await end()
    expect(isReadyAt(60_000 + HANDOVER_MS)).toBe(true)
  })

  test('is not trusted when it was silent again before the probe committed', async () => {
    const { answerAt, end, isReadyAt } = open()
    for (const ms of [0, 60_000, 65_000, 90_000]) await answerAt(ms)
    await end()
    expect(isReadyAt(90_000)).toBe(false)
  })
})
