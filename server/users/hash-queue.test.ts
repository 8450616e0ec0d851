import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HASH_QUEUE } from '../../contract/limits.ts'
import { type HashClient, HashQueue } from './hash-queue.ts'

const { ofAll, ofAddress, ofUser } = HASH_QUEUE

/** A queue whose hashes take until they are told to end. */
function opened(on = true) {
  const queue = new HashQueue(on)
  const begun: string[] = []
  const ends: (() => void)[] = []
  let users = 0
  return {
    begun,
    close: () => queue.close(),
    /** Asks for a hash; each is another user's unless it says so. */
    ask: (name: string, client: Partial<HashClient> = {}) =>
      queue.run({ address: name, user: `user ${users++}`, ...client }, async () => {
        begun.push(name)
        await new Promise<void>(resolve => ends.push(resolve))
        return name
      }),
    endOne: () => ends.shift()?.(),
  }
}

test('runs one hash at a time, in the order in which they came', async () => {
  const { ask, begun, endOne } = opened()
  const results = ['a', 'b', 'c'].map(name => ask(name))
  for (const [n, result] of results.entries()) {
    expect(begun).toEqual(['a', 'b', 'c'].slice(0, n + 1))
    endOne()
    await result
    await turn()
  }
})

test('goes on after a hash that failed', async () => {
  const queue = new HashQueue(true)
  const failed = queue.run({ address: 'a', user: 'a' }, () => Promise.reject(new Error('failed')))
  const next = queue.run({ address: 'a', user: 'b' }, async () => 'hashed')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('hashed')
})

test.each<[what: string, most: number, client: (n: number) => HashClient]>([
  ['in all', ofAll, n => ({ address: `192.0.2.${n}`, user: `${n}` })],
  ['of one address', ofAddress, n => ({ address: '192.0.2.1', user: `${n}` })],
  ['of one user', ofUser, n => ({ address: `192.0.2.${n}`, user: 'one' })],
])('refuses a hash beyond those that may wait %s: %i', async (_, most, client) => {
  const { ask, begun, endOne } = opened()
  void ask('at work', { address: 'another', user: 'another' })
  const waiting = Array.from({ length: most }, (_, n) => ask(`${n}`, client(n)))
  await expect(ask('one more', client(most))).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfter: 2, isFull: true },
  })
  endOne()
  await turn()
  expect(begun).toEqual(['at work', '0'])
  void ask('in its place', client(most))
  for (const [n, result] of waiting.entries()) {
    endOne()
    expect(await result).toBe(`${n}`)
    await turn()
  }
})

test('bounds only the total when switched off', async () => {
  const { ask } = opened(false)
  void ask('at work')
  for (let n = 0; n < ofAll; n += 1) void ask('waits', { address: 'a', user: 'one' })
  await expect(ask('one more')).rejects.toMatchObject({ code: 'unavailable' })
})

test('refuses the waiting hashes when it is closed, and ends the one in progress', async () => {
  const { ask, close, endOne } = opened()
  const atWork = ask('at work')
  const waiting = ask('waits')
  close()
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 1 } })
  await expect(ask('comes later')).rejects.toMatchObject({ code: 'unavailable' })
  endOne()
  expect(await atWork).toBe('at work')
})
