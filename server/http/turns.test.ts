import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { takeTurns } from './turns.ts'

test('beyond its time a turn serves nothing more: what comes then waits unread, and comes first in the next one', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const inTurn = takeTurns()
  const served: string[] = []
  const send = (name: string, takesMs: number, size = 1) => {
    const socket = { pause: vi.fn(), resume: vi.fn(), destroy: vi.fn() }
    inTurn(socket as unknown as Socket, Buffer.alloc(size), () => {
      served.push(name)
      clock.mockReturnValue(performance.now() + takesMs)
    })
    return socket
  }
  send('one', 20)
  send('two', 30)
  const late = [send('three', 100), send('four', 1)]
  expect(send('more than a request has', 1, 33_000).destroy).toHaveBeenCalledOnce()
  expect(served).toEqual(['one', 'two'])
  expect(late.map(({ pause }) => pause.mock.calls.length)).toEqual([1, 1])
  await nextTurn()
  expect(served).toEqual(['one', 'two', 'three'])
  send('five', 1)
  await nextTurn()
  expect(served).toEqual(['one', 'two', 'three', 'four', 'five'])
  expect(late.map(({ resume }) => resume.mock.calls.length)).toEqual([1, 1])
  send('six', 1)
  expect(served.at(-1), 'at once again').toBe('six')
})
