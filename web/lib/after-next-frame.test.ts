import { afterEach, expect, test, vi } from 'vitest'
import { afterNextFrame } from './after-next-frame.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('continues after the next frame although timers are held back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let draw: FrameRequestCallback = () => undefined
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    draw = callback
  })
  const drawn = afterNextFrame()
  draw(0)
  await expect(drawn).resolves.toBeUndefined()
})

test('continues on a hidden page, which draws no frames', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('requestAnimationFrame', () => 1)
  const drawn = afterNextFrame()
  vi.runAllTimers()
  await expect(drawn).resolves.toBeUndefined()
})
