import { describe, expect, test } from 'vitest'
import { HASH_QUEUE } from '../../contract/limits.ts'
import { FairQueue } from './fair-queue.ts'

const { ofAll, ofAddressAlone, ofAddress, ofAccount } = HASH_QUEUE
const HOME = '192.0.2.1'
const STRANGER = '192.0.2.2'

/** A queue whose jobs say where they came from, each of another account. */
function opened(on = true) {
  const queue = new FairQueue<string>(on)
  let accounts = 0
  return {
    add: (address: string, account = `${accounts++}`) => queue.add(address, account, address) === null,
    /** Adds as many as there is room for. */
    fill: (next: () => string) => {
      let added = 0
      while (added < 2 * ofAll && queue.add(next(), `${accounts++}`, 'full') === null) added += 1
      return added
    },
    next: () => queue.next(),
    rest: () => Array.from({ length: ofAll + 1 }, () => queue.next()).filter(job => job !== undefined),
  }
}

/** Another /64 of one /48 each time, each of another /56, the first of which is left out. */
function subnets(site = '2001:db8:0') {
  let count = 1
  return () => `${site}:${(256 * count++).toString(16)}::/64`
}

describe('an address', () => {
  test(`may have ${ofAddressAlone} waiting while nobody else waits`, () => {
    expect(opened().fill(() => HOME)).toBe(ofAddressAlone)
  })

  test('keeps nobody else out, however many of it wait', () => {
    const queue = opened()
    queue.fill(() => HOME)
    expect(queue.fill(() => STRANGER)).toBe(ofAddress)
    expect(queue.add(HOME)).toBe(false)
  })
})

describe('a network of IPv6', () => {
  test(`may have ${4 * ofAddress} waiting while others wait`, () => {
    const queue = opened()
    queue.add(STRANGER)
    expect(queue.fill(subnets())).toBe(4 * ofAddress)
  })

  test('has one turn, like an address', () => {
    const queue = opened()
    const next = subnets()
    for (let n = 0; n < 6; n += 1) queue.add(next())
    queue.add(STRANGER)
    queue.add(STRANGER)
    const order = queue.rest()
    expect(order.slice(1, 4).filter(address => address === STRANGER)).toHaveLength(2)
  })
})

test(`an account may have ${ofAccount} waiting, from wherever`, () => {
  const queue = opened()
  expect([HOME, STRANGER, '192.0.2.3'].map(address => queue.add(address, 'one'))).toEqual([true, true, false])
  expect(queue.add('192.0.2.3', 'other')).toBe(true)
})

test('where all together have that many, the newest of whoever has most makes room', () => {
  const queue = new FairQueue<string>(true)
  let account = 0
  const add = (address: string, job: string) => queue.add(address, `${account++}`, job)
  for (let n = 0; n < ofAll; n += 1) expect(add(`192.0.2.${Math.floor(n / ofAddress)}`, `${n}`)).toBeNull()
  for (let n = 0; n < 20; n += 1) {
    const refused = add(`198.51.100.${n}`, `stranger ${n}`)
    expect(Number(refused)).toBeLessThan(ofAll)
  }
  const rest = Array.from({ length: ofAll }, () => queue.next())
  expect(rest.filter(job => job?.startsWith('stranger'))).toHaveLength(20)
  expect(queue.next()).toBeUndefined()
})

test('where every network has one, who comes is refused', () => {
  const queue = new FairQueue<string>(true)
  for (let n = 0; n < ofAll; n += 1) queue.add(`192.0.2.${n}`, `${n}`, `${n}`)
  expect(queue.add('198.51.100.1', 'stranger', 'stranger')).toBe('stranger')
})

test('addresses take turns, and what one address sends keeps its order', () => {
  const queue = opened()
  for (const address of ['a', 'a', 'a', 'b', 'c', 'b']) queue.add(address)
  expect(queue.rest()).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
})

test('who has just had a turn waits for those who have not, also with an empty queue between', () => {
  const queue = opened()
  queue.add('a')
  expect(queue.next()).toBe('a')
  expect(queue.next()).toBeUndefined()
  queue.add('a')
  queue.add('b')
  expect(queue.rest()).toEqual(['b', 'a'])
})

test('switched off, only all together are bounded', () => {
  const queue = opened(false)
  expect(queue.fill(() => HOME)).toBe(ofAll)
})
