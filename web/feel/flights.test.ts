import { expect, test } from 'vitest'
import { isMissRecorded } from './flights.ts'
import { createGameStore, type GameState } from '../round/game.ts'
import { stopped } from '../round/round.ts'

/** Returns whether the answer to a Stop with this difference in ms feeds the pool visibly. */
function feeds(differenceMs: number, answer: Partial<GameState> = {}): boolean {
  const game = createGameStore()
  game.update({ round: stopped(2_000, 2_000 + differenceMs), sending: true })
  const last = game.get()
  game.update({ sending: false, ...answer })
  return isMissRecorded(last, game.get())
}

test('lets a recorded miss in view feed the pool, and no other answer', () => {
  expect(feeds(141)).toBe(true)
  expect(feeds(38, { won: 24 })).toBe(false)
  expect(feeds(141, { message: 'The round has expired.' })).toBe(false)
  expect(feeds(141, { view: 'login' })).toBe(false)
  expect(feeds(141, { sending: true })).toBe(false)
})
