import { expect, test } from 'vitest'
import { IDLE, start, stopped } from '../round/round.ts'
import { cuesBetween } from './cues.ts'

test('an abandoned run and a result of an earlier page have no cue', () => {
  const running = { round: start({ token: 'token', target_time: 2 }, 'Ola', 0), won: null }
  const idle = { round: IDLE, won: null }
  const result = { round: stopped(2_000, 2_900), won: null }
  expect(cuesBetween(idle, running)).toEqual(['start'])
  expect(cuesBetween(running, idle)).toEqual([])
  expect(cuesBetween(idle, result)).toEqual([])
  expect(cuesBetween(running, result)).toEqual(['far'])
  expect(cuesBetween(result, { ...result, won: 3 })).toEqual(['won'])
})
