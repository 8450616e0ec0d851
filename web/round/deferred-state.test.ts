import { expect, test } from 'vitest'
import { gameRig } from '../testing/game.ts'
import { deferUntilPainted } from './deferred-state.ts'

test('shows the effects of a press in the frame after the press, and everything else immediately', async () => {
  const { game } = gameRig()
  const shown = deferUntilPainted(game.state, () => Promise.resolve())
  game.show('login', 'a message')
  expect(shown.get().view).toBe('login')
  game.show('main')
  game.press(1_000)
  expect(shown.get().round.phase).toBe('idle')
  await Promise.resolve()
  expect(shown.get().round.phase).toBe('running')
  game.abandon('another message')
  expect(shown.get().message).toBe('another message')
})
