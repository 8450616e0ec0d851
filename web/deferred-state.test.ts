import { expect, test, vi } from 'vitest'
import { deferUntilPainted } from './deferred-state.ts'
import { gameRig } from './testing/game.ts'

/** Returns a game, its deferred state, and a function that draws the next frame. */
function rig() {
  const { game } = gameRig()
  const frames: (() => void)[] = []
  const shown = deferUntilPainted(game.state, () => new Promise(resolve => frames.push(resolve)))
  const draw = async () => {
    for (const frame of frames.splice(0)) frame()
    await Promise.resolve()
  }
  return { game, shown, draw }
}

test('shows all effects of a press together, once the press is painted', async () => {
  const { game, shown, draw } = rig()
  game.press(1_000)
  expect(shown.get().round.phase).toBe('idle')
  await draw()
  expect(shown.get()).toBe(game.state.get())

  game.press(4_000)
  expect(game.state.get()).toMatchObject({ round: { phase: 'stopped' }, sending: true })
  expect(shown.get()).toMatchObject({ round: { phase: 'running' }, sending: false })
  const listener = vi.fn()
  shown.subscribe(listener)
  await draw()
  expect(shown.get()).toBe(game.state.get())
  expect(listener).toHaveBeenCalledOnce()
})

test('immediately shows a change that no press caused', async () => {
  const { game, shown, draw } = rig()
  game.show('login', 'a message')
  expect(shown.get()).toBe(game.state.get())
  game.show('main')
  game.press(1_000)
  await draw()
  game.abandon('another message')
  expect(shown.get()).toBe(game.state.get())
})
