import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HASH_QUEUE } from '../../contract/limits.ts'
import { type HashClient, HashQueue } from './hash-queue.ts'

const { ofAll, ofAddress, ofUser } = HASH_QUEUE

/** Opens a queue. Each hash runs until the test calls `endOne`. */
function openQueue(on = true) {
  const queue = new HashQueue(on)
  const begun: string[] = []
  const ends: (() => void)[] = []
  let users = 0
  return {
    begun,
    close: () => queue.close(),
    /** Requests a hash, for a new user unless `client` names a user. */
    ask: (name: string, client: Partial<HashClient> = {}) =>
      queue.run({ address: name, user: `user ${users++}`, ...client }, async () => {
        begun.push(name)
        await new Promise<void>(resolve => ends.push(resolve))
        return name
      }),
    endOne: () => ends.shift()?.(),
  }
}

test('runs one hash at a time, in the order of the requests', async () => {
  const { ask, begun, endOne } = openQueue()
  const results = ['a', 'b', 'c'].map(name => ask(name))
  for (const [n, result] of results.entries()) {
    expect(begun).toEqual(['a', 'b', 'c'].slice(0, n + 1))
    endOne()
    await result
    await turn()
  }
})

test('runs the next hash after a hash fails', async () => {
  const queue = new HashQueue(true)
  const failed = queue.run({ address: 'a', user: 'a' }, () => Promise.reject(new Error('failed')))
  const next = queue.run({ address: 'a', user: 'b' }, async () => 'hashed')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('hashed')
})

test.each<[most: number, what: string, client: (n: number) => HashClient]>([
  [ofAll, 'in total', n => ({ address: `192.0.2.${n}`, user: `${n}` })],
  [ofAddress, 'for one address', n => ({ address: '192.0.2.1', user: `${n}` })],
  [ofUser, 'for one user', n => ({ address: `192.0.2.${n}`, user: 'one' })],
])('refuses a hash when %i hashes are already waiting %s', async (most, _, client) => {
  const { ask, begun, endOne } = openQueue()
  void ask('running', { address: 'another', user: 'another' })
  const waiting = Array.from({ length: most }, (_, n) => ask(`${n}`, client(n)))
  await expect(ask('one more', client(most))).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfter: 2, isFull: true },
  })
  endOne()
  await turn()
  expect(begun).toEqual(['running', '0'])
  void ask('admitted', client(most))
  for (const [n, result] of waiting.entries()) {
    endOne()
    expect(await result).toBe(`${n}`)
    await turn()
  }
})

test('limits only the total when switched off', async () => {
  const { ask } = openQueue(false)
  void ask('running')
  for (let n = 0; n < ofAll; n += 1) void ask('waiting', { address: 'a', user: 'one' })
  await expect(ask('one more')).rejects.toMatchObject({ code: 'unavailable' })
})

test('refuses waiting and new hashes once closed, but finishes the hash in progress', async () => {
  const { ask, close, endOne } = openQueue()
  const running = ask('running')
  const waiting = ask('waiting')
  close()
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 1 } })
  await expect(ask('too late')).rejects.toMatchObject({ code: 'unavailable' })
  endOne()
  expect(await running).toBe('running')
})
