import { expect, test } from 'vitest'
import { stopped } from '../round/round.ts'
import { isMissRecorded } from './flights.ts'

type Answer = Partial<Parameters<typeof isMissRecorded>[1]>

/** Returns whether the answer to a Stop with this difference in ms feeds the pool visibly. */
function feeds(differenceMs: number, answer: Answer = {}): boolean {
  const round = stopped(2_000, 2_000 + differenceMs)
  const last = { round, sending: true, view: 'main', message: null } as const
  return isMissRecorded(last, { ...last, sending: false, ...answer })
}

test('lets a recorded miss in view feed the pool, and no other answer', () => {
  expect(feeds(141)).toBe(true)
  expect(feeds(38)).toBe(false)
  expect(feeds(141, { message: 'The round has expired.' })).toBe(false)
  expect(feeds(141, { view: 'login' })).toBe(false)
  expect(feeds(141, { sending: true })).toBe(false)
})
