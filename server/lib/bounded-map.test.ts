import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

const LIMIT = 20

function filledMap(): BoundedMap<number> {
  const recent = new BoundedMap<number>(LIMIT)
  for (let n = 0; n < LIMIT; n += 1) recent.set(`key ${n}`, n)
  return recent
}

const keptValues = (recent: BoundedMap<number>, keys: number) =>
  Array.from({ length: keys }, (_, n) => recent.get(`key ${n}`)).filter(value => value !== undefined)

test('keeps only the latest keys: at least half the limit, at most the limit', () => {
  const recent = filledMap()
  for (let n = LIMIT; n < 10 * LIMIT; n += 1) {
    recent.set(`key ${n}`, n)
    const kept = keptValues(recent, 10 * LIMIT)
    expect(kept.length).toBeGreaterThanOrEqual(LIMIT / 2)
    expect(kept.length).toBeLessThanOrEqual(LIMIT)
    expect(kept.at(-1)).toBe(n)
  }
})

test('keeps a key that is set repeatedly', () => {
  const recent = filledMap()
  for (let n = LIMIT; n < 10 * LIMIT; n += 1) {
    recent.set('kept', n)
    recent.set(`key ${n}`, n)
  }
  expect(recent.get('kept')).toBe(10 * LIMIT - 1)
})
