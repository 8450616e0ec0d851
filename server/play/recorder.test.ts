import { describe, expect, test, vi } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'
import { newPlayerId } from '../people/player.ts'
import type { Submission } from './attempts.ts'
import { type Outcome, Recorder } from './recorder.ts'

const world = openWorld()

/** Returns a guest's first attempt, by default a miss. */
function submission(more: Partial<Submission> = {}): Submission {
  const usual = { playerId: newPlayerId(), round: 1, userId: null, username: 'Recorded' }
  return { ...usual, targetMs: 2_000, actualMs: 2_500, startedAt: Date.now() - 2_500, ...more }
}

/** Records submissions simultaneously. Returns the results, and the size or failure of each batch. */
async function recordTogether(submissions: Submission[]) {
  const batches: (number | 'failed')[] = []
  const recorder = new Recorder(world.pool, { clockToleranceMs: 600_000, prizeHoldMinutes: 15 })
  recorder.on('recorded', attempts => batches.push(attempts))
  recorder.on('failed', () => batches.push('failed'))
  const results = await Promise.allSettled(submissions.map(one => recorder.record(one)))
  return { results, batches }
}

function kinds(results: PromiseSettledResult<Outcome>[]): (Outcome['kind'] | 'failed')[] {
  return results.map(result => (result.status === 'fulfilled' ? result.value.kind : 'failed'))
}

function wonTaps(result: PromiseSettledResult<Outcome> | undefined): number | null {
  if (result?.status !== 'fulfilled' || !('attempt' in result.value)) return null
  return result.value.attempt.won_taps
}

async function pool(): Promise<number> {
  const [row] = await world.sql<{ taps: number }>('select get_unclaimed_taps() as taps')
  return row?.taps ?? Number.NaN
}

test('commits simultaneous attempts in batches of at most 150', async () => {
  const { results, batches } = await recordTogether(Array.from({ length: 1_201 }, () => submission()))
  expect(new Set(kinds(results))).toEqual(new Set(['recorded']))
  expect(batches).toEqual([...Array(8).fill(150), 1])
})

test("gives the pool to a batch's first winner, and to each later winner the TAPS added since the previous win", async () => {
  await recordTogether([submission(), submission()])
  const before = await pool()
  const win = { actualMs: 2_100 }
  const { results, batches } = await recordTogether([
    submission(),
    submission(win),
    submission(),
    submission(),
    submission(win),
    submission(win),
    submission(),
  ])
  expect(batches).toEqual([7])
  expect(results.map(wonTaps)).toEqual([null, before + 2, null, null, 3, 1, null])
  expect(await pool()).toBe(1)
})

describe('two submissions of one round', () => {
  test('with equal times: one attempt is recorded, and both submissions receive the same answer', async () => {
    const one = submission({ actualMs: 2_050 })
    const { results, batches } = await recordTogether([one, submission(), one])
    expect(kinds(results)).toEqual(['recorded', 'recorded', 'repeated'])
    expect(batches).toEqual([2])
    expect(wonTaps(results[2])).toBe(wonTaps(results[0]))
    expect(wonTaps(results[0])).toBeGreaterThan(0)
  })

  test('with different times: only the first submission is recorded, even if the second would win', async () => {
    const one = submission()
    const { results } = await recordTogether([submission(), one, { ...one, actualMs: 2_000 }])
    expect(kinds(results)).toEqual(['recorded', 'recorded', 'round_already_played'])
    const rows = await world.sql('select actual_time from attempts where player = $1', [one.playerId])
    expect(rows).toEqual([{ actual_time: 2.5 }])
  })
})

describe('an invalid submission', () => {
  test.each<[string, Partial<Submission>]>([
    ['a target out of range', { targetMs: 9_000 }],
    ['a NUL in the name', { username: 'a\0b' }],
  ])('with %s fails alone, and a win in its batch still counts', async (_, bad) => {
    const { results } = await recordTogether([submission(), submission(bad), submission({ actualMs: 1_900 })])
    expect(kinds(results)).toEqual(['recorded', 'failed', 'recorded'])
    expect(wonTaps(results[2])).toBeGreaterThanOrEqual(2)
    expect(await pool()).toBe(0)
  })
})

test('records nothing for an account that does not own the player', async () => {
  const { results, batches } = await recordTogether([submission({ userId: 1_000_000 })])
  expect(kinds(results)).toEqual(['stale_round'])
  expect(batches).toEqual([])
})

test('emits `recorded`, then `failed`, when earlier attempts cannot be read', async () => {
  const query = world.pool.query.bind(world.pool)
  const lost = () => Promise.reject(new Error('The connection was lost'))
  vi.spyOn(world.pool, 'query').mockImplementationOnce(query).mockImplementationOnce(lost)
  const one = submission()
  const { results, batches } = await recordTogether([one, one])
  expect(kinds(results)).toEqual(['failed', 'failed'])
  expect(batches).toEqual([1, 'failed'])
})
