import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HASH_QUEUE } from '../../contract/limits.ts'
import { HashQueue } from './hash-queue.ts'

const { ofAll, ofAddress } = HASH_QUEUE

/** The longest wait for a queue in this process, which needs no time. */
const WAIT_MS = 5_000

/** Fails, instead of hanging, when a hash neither ends nor is refused. */
function soon<Result>(what: string, result: Promise<Result>): Promise<Result> {
  const late = sleep(WAIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`waited ${WAIT_MS} ms for ${what}`)
  })
  return Promise.race([result, late])
}

/** Opens a queue. Each hash runs until the test calls `endOne`. */
function openQueue(most?: number) {
  const queue = new HashQueue(most)
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    close: () => queue.close(),
    ask: (name: string, address = name) =>
      queue.run(address, async () => {
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
  await turn()
  for (const [n, result] of results.entries()) {
    expect(begun).toEqual(['a', 'b', 'c'].slice(0, n + 1))
    endOne()
    await soon('the hash in progress', result)
    await turn()
  }
})

test('runs the next hash after a hash fails', async () => {
  const queue = new HashQueue()
  const failed = queue.run('a', () => Promise.reject(new Error('failed')))
  const next = queue.run('a', async () => 'hashed')
  await expect(soon('the failing hash', failed)).rejects.toThrow('failed')
  expect(await soon('the next hash', next)).toBe('hashed')
})

test.each<[most: number, what: string, addressOf: (n: number) => string]>([
  [ofAll, 'in total', n => `192.0.2.${n}`],
  [ofAddress, 'for one address', () => '192.0.2.1'],
])('refuses a hash when %i hashes are already waiting %s', async (most, _, addressOf) => {
  const { ask, begun, endOne } = openQueue()
  void ask('running', 'another')
  await turn()
  const waiting = Array.from({ length: most }, (_, n) => ask(`${n}`, addressOf(n)))
  await expect(soon('the refusal', ask('one more', addressOf(most)))).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfter: 2, isUnlogged: true },
  })
  endOne()
  await turn()
  expect(begun).toEqual(['running', '0'])
  void ask('admitted', addressOf(most))
  for (const [n, result] of waiting.entries()) {
    endOne()
    expect(await soon(`hash ${n}`, result)).toBe(`${n}`)
    await turn()
  }
})

test('refuses waiting and new hashes once closed, but finishes the hash in progress', async () => {
  const { ask, close, endOne } = openQueue()
  const running = ask('running')
  await turn()
  const refused = Promise.allSettled([ask('waiting'), ask('too late')])
  close()
  endOne()
  expect(await soon('the hash in progress', running)).toBe('running')
  expect(await soon('the refusals', refused)).toMatchObject(
    Array(2).fill({ reason: { code: 'unavailable', details: { retryAfter: 1 } } }),
  )
})
