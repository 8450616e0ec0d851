import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { takeTurns } from './turns.ts'

test('beyond its time a turn serves nothing more: what comes then waits, and comes first in the next one', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const inTurn = takeTurns()
  const served: string[] = []
  const send = (name: string, takesMs: number, socket = new Socket(), size = 1) => {
    inTurn(socket, Buffer.alloc(size), () => {
      served.push(name)
      clock.mockReturnValue(performance.now() + takesMs)
    })
    return socket.destroyed
  }
  send('one', 20)
  send('two', 30)
  send('three', 100)
  send('four', 1)
  const greedy = new Socket()
  const pieces = [20_000, 20_000].map(size => send('more than a request has', 1, greedy, size))
  expect(pieces, 'ends a connection').toEqual([false, true])
  expect(served).toEqual(['one', 'two'])
  await nextTurn()
  expect(served).toEqual(['one', 'two', 'three'])
  send('five', 1)
  await nextTurn()
  expect(served.slice(3)).toEqual(['four', 'more than a request has', 'five'])
  send('six', 1)
  expect(served.at(-1), 'at once again').toBe('six')
})
