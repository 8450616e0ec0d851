import { expect, test, vi } from 'vitest'
import { deferUntilPainted } from './deferred-state.ts'
import { gameRig } from './testing/game.ts'

/** A game, what is shown of it, and the frames of a page that draws when it is told to. */
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

test('shows the effect of a press together, after the press is painted', async () => {
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

test('shows a change without a press immediately', async () => {
  const { game, shown, draw } = rig()
  game.show('login', 'a word')
  expect(shown.get()).toBe(game.state.get())
  game.show('main')
  game.press(1_000)
  await draw()
  game.abandon('another word')
  expect(shown.get()).toBe(game.state.get())
})
