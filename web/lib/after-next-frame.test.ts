import { expect, test, vi } from 'vitest'
import { afterNextFrame } from './after-next-frame.ts'

test('continues after the next frame while timers are held back, and without frames on a hidden page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => draw(0))
  await expect(afterNextFrame()).resolves.toBeUndefined()
  vi.stubGlobal('requestAnimationFrame', () => 1)
  const drawn = afterNextFrame()
  vi.runAllTimers()
  await expect(drawn).resolves.toBeUndefined()
  vi.useRealTimers()
})
