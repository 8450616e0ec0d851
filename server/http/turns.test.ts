import { EventEmitter } from 'node:events'
import { nextTick } from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { takeTurns } from './turns.ts'

test('beyond its time, short after new connections, a turn serves nothing more: what comes then waits for its network’s turn', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const server = new EventEmitter()
  const inTurn = takeTurns(server)
  const served: string[] = []
  const send = (name: string, takesMs: number, address = '192.0.2.7') => {
    const serve = () => {
      served.push(name)
      clock.mockReturnValue(performance.now() + takesMs)
    }
    inTurn(address, serve)
    if (served.at(-1) !== name) inTurn(address, serve) // More of it comes while it waits.
  }
  send('one', 60)
  send('two', 90)
  send('three', 300)
  send('four', 1)
  expect(served).toEqual(['one', 'two'])
  await nextTurn()
  expect(served).toEqual(['one', 'two', 'three'])
  send('five', 1)
  await nextTurn()
  expect(served.slice(2)).toEqual(['three', 'four', 'five'])
  send('six', 300)
  expect(served.at(-1), 'at once again').toBe('six')
  const followed = vi.fn(() => void clock.mockReturnValue(performance.now() + 1))
  for (let many = 0; many < 99; many += 1) inTurn('192.0.2.7', () => nextTick(followed))
  send('elsewhere', 1, '192.0.2.8')
  for (let accepted = 0; accepted < 100; accepted += 1) {
    expect(followed, 'others may wait to be accepted').not.toHaveBeenCalled()
    server.emit('connection')
    await nextTurn()
  }
  expect(followed, 'in a short turn').toHaveBeenCalledTimes(9)
  expect(served.at(-1), 'networks take turns').toBe('elsewhere')
})
