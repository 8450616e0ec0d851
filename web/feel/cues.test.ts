import { expect, test } from 'vitest'
import { IDLE, start, stopped } from '../round/round.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { cuesBetween, openCueSwitch } from './cues.ts'

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

test('the first press turns sound and vibration on, the next one both off, and each is remembered', () => {
  const storage = memoryStorage()
  const { on, toggle } = openCueSwitch(storage)
  expect(on.get(), 'vibration alone').toBeNull()
  for (const choice of [true, false, true]) {
    toggle()
    expect(on.get()).toBe(choice)
    expect(openCueSwitch(storage).on.get()).toBe(choice)
  }
})
