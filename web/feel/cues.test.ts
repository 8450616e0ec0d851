import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import type { GameState } from '../round/game.ts'
import { IDLE, start, stopped } from '../round/round.ts'
import { watchCues } from './cues.ts'
import type { Cue } from './sounds.ts'

type Shown = Pick<GameState, 'round' | 'won'>

const RUNNING = start({ token: 'token', target_time: 2 }, 'Ola', 0)

function watched() {
  const game = createStore<Shown>({ round: IDLE, won: null })
  const given: Cue[] = []
  watchCues(game, cue => given.push(cue))
  return { given, update: (part: Partial<Shown>) => game.set({ ...game.get(), ...part }) }
}

test('gives no cue when a run is abandoned or a result of an earlier page is shown', () => {
  const { given, update } = watched()
  update({ round: RUNNING })
  update({ round: IDLE })
  update({ round: stopped(2_000, 2_900) })
  expect(given).toEqual(['start'])
})
