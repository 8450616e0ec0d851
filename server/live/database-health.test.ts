import { expect, test } from 'vitest'
import { DatabaseHealth, HANDOVER_MS } from './readiness.ts'

/** Returns the health of a database that answered at these moments. */
function answeredAt(...moments: number[]): DatabaseHealth {
  const health = new DatabaseHealth()
  for (const moment of moments) health.answered(moment)
  return health
}

test('the database is unavailable before its first answer, and not in doubt afterwards', () => {
  expect(answeredAt().isUnavailable(0)).toBe(true)
  expect(answeredAt(60_000).isInDoubt(60_000)).toBe(false)
})

test('the database is available after 5 s of silence, and unavailable a millisecond later', () => {
  const health = answeredAt(0)
  expect([5_000, 5_001].map(now => health.isUnavailable(now))).toEqual([false, true])
  expect(answeredAt(0, 5_000).isInDoubt(5_000)).toBe(false)
})

test('the database stays in doubt after an outage until a commit that began 5 s after the first answer', () => {
  const back = 60_000
  const health = answeredAt(0, back)
  expect(health.isUnavailable(back)).toBe(false)
  expect(health.wantsCommit(back + HANDOVER_MS - 1)).toBe(false)
  health.committed(back + HANDOVER_MS - 1)
  health.answered(back + HANDOVER_MS)
  expect(health.isInDoubt(back + HANDOVER_MS)).toBe(true)
  expect(health.wantsCommit(back + HANDOVER_MS)).toBe(true)
  health.committed(back + HANDOVER_MS)
  expect(health.isInDoubt(back + HANDOVER_MS)).toBe(false)
})

test('the database stays in doubt after a commit that began before another outage', () => {
  const health = answeredAt(0, 60_000, 64_000, 68_000)
  const begunAt = 68_000
  health.answered(90_000)
  health.committed(begunAt)
  expect(health.isInDoubt(90_000)).toBe(true)
})
