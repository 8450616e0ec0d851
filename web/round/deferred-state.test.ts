import { expect, test, vi } from 'vitest'
import { gameRig } from '../testing/game.ts'
import { deferUntilPainted } from './deferred-state.ts'

/** Returns a game, its deferred state, the fades so far, and a function that draws the next frame. */
function rig() {
  const { game } = gameRig()
  const frames: (() => void)[] = []
  const faded: string[] = []
  const shown = deferUntilPainted(game.state, {
    afterNextFrame: () => new Promise(resolve => frames.push(resolve)),
    crossFade(show) {
      const before = shown.get().view
      show()
      faded.push(`${before} to ${shown.get().view}`)
    },
  })
  const draw = async () => {
    for (const frame of frames.splice(0)) frame()
    await Promise.resolve()
  }
  return { game, shown, draw, faded }
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

test('fades between views, and only between views', async () => {
  const { game, draw, faded } = rig()
  game.show('login', 'a message')
  game.show('main')
  game.press(1_000)
  await draw()
  game.abandon('another message')
  expect(faded).toEqual(['main to login', 'login to main'])
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
