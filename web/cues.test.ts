import { expect, test } from 'vitest'
import { type Cue, watchCues } from './cues.ts'
import { createGameStore } from './game-state.ts'
import { IDLE, start, stopped } from './round.ts'

const RUNNING = start({ token: 'token', target_time: 2 }, 'Ola', 0)

function watched() {
  const game = createGameStore()
  const given: Cue[] = []
  watchCues(game, cue => given.push(cue))
  return { game, given }
}

test('gives a cue for Start, for the closeness of Stop, and for a confirmed win', () => {
  const { game, given } = watched()
  game.update({ round: RUNNING })
  game.update({ round: stopped(2_000, 2_038), sending: true })
  expect(given).toEqual(['start', 'close'])
  game.update({ won: 24, sending: false })
  expect(given).toEqual(['start', 'close', 'won'])
})

test('gives no cue when a run is abandoned or a result of an earlier page is shown', () => {
  const { game, given } = watched()
  game.update({ round: RUNNING })
  game.update({ round: IDLE })
  game.update({ round: stopped(2_000, 2_900) })
  expect(given).toEqual(['start'])
})
