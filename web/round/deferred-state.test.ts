import { expect, test } from 'vitest'
import { gameRig } from '../testing/game.ts'
import { deferUntilPainted } from './deferred-state.ts'

test('fades between views, and only between views', async () => {
  const { game } = gameRig()
  const faded: string[] = []
  const shown = deferUntilPainted(game.state, {
    afterNextFrame: () => Promise.resolve(),
    crossFade(show) {
      const before = shown.get().view
      show()
      faded.push(`${before} to ${shown.get().view}`)
    },
  })
  game.show('login', 'a message')
  game.show('main')
  game.press(1_000)
  await Promise.resolve()
  game.abandon('another message')
  expect(faded).toEqual(['main to login', 'login to main'])
})
