import { expect, test } from 'vitest'
import { HANDOVER_MS, OUTAGE_MS, Outage } from './outage.ts'

/** An outage of which the database answered at these moments. */
function beating(...moments: number[]): Outage {
  const outage = new Outage()
  for (const moment of moments) outage.beat(moment)
  return outage
}

test('a database that has never answered is away, and is believed from its first answer on', () => {
  expect(beating().isAway(0)).toBe(true)
  expect(beating(60_000).isInDoubt(60_000)).toBe(false)
})

test('one that is silent for 5 s is not away, and is a millisecond later', () => {
  const outage = beating(0)
  expect([OUTAGE_MS, OUTAGE_MS + 1].map(now => outage.isAway(now))).toEqual([false, true])
  expect(beating(0, OUTAGE_MS).isInDoubt(OUTAGE_MS)).toBe(false)
})

test('one that is back is in doubt until a commit succeeds that was begun 5 s later', () => {
  const back = 60_000
  const outage = beating(0, back)
  expect(outage.isAway(back)).toBe(false)
  expect(outage.wantsCommit(back + HANDOVER_MS - 1)).toBe(false)
  outage.committed(back + HANDOVER_MS - 1)
  outage.beat(back + HANDOVER_MS)
  expect(outage.isInDoubt(back + HANDOVER_MS)).toBe(true)
  expect(outage.wantsCommit(back + HANDOVER_MS)).toBe(true)
  outage.committed(back + HANDOVER_MS)
  expect(outage.isInDoubt(back + HANDOVER_MS)).toBe(false)
})

test('a commit that was begun before another outage says nothing about what comes after it', () => {
  const outage = beating(0, 60_000, 64_000, 68_000)
  const begunAt = 68_000
  outage.beat(90_000)
  outage.committed(begunAt)
  expect(outage.isInDoubt(90_000)).toBe(true)
})
