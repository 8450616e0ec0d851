import { expect, test, vi } from 'vitest'
import { DatabaseClock } from './clock.ts'

const EPOCH_MS = 1_800_000_000_000

/** Returns a clock, a function that takes readings, and the jumps that the clock reports. */
function createClock() {
  const jumps: number[] = []
  const clock = new DatabaseClock(ms => jumps.push(ms))
  /** Takes a reading: `there` ms pass before the database reads its clock, and `back` ms afterwards. */
  const read = (askedAt: number, [there, back]: [number, number], offsetMs = EPOCH_MS) =>
    clock.note({ askedAt, answeredAt: askedAt + there + back, databaseMs: askedAt + there + offsetMs })
  return { clock, read, jumps }
}

test('throws `unavailable` before the first reading', () => {
  expect(() => createClock().clock.now()).toThrow(
    expect.objectContaining({ code: 'unavailable', details: { retryAfter: 1, alreadyLogged: true } }),
  )
})

test('assigns the database time to the middle of a reading, then follows the monotonic clock', () => {
  const { clock, read } = createClock()
  read(1_000, [4, 4])
  expect(clock.timeAt(1_000)).toBe(EPOCH_MS + 1_000)
  expect(clock.timeAt(61_000.4)).toBe(EPOCH_MS + 61_000)
  vi.spyOn(Date, 'now').mockReturnValue(0)
  expect(clock.now()).toBeGreaterThan(EPOCH_MS)
  vi.restoreAllMocks()
})

test('uses the quickest reading of the last minute', () => {
  const { clock, read, jumps } = createClock()
  read(0, [80, 0])
  expect(clock.timeAt(0)).toBe(EPOCH_MS + 40)
  read(100, [1, 1])
  expect(clock.timeAt(0)).toBe(EPOCH_MS)
  read(200, [10, 0])
  expect(clock.timeAt(0)).toBe(EPOCH_MS)
  read(60_000, [10, 0])
  expect(clock.timeAt(0)).toBe(EPOCH_MS)
  read(60_103, [10, 0])
  expect(clock.timeAt(0)).toBe(EPOCH_MS + 5)
  expect(jumps).toEqual([])
})

test.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])(
  'follows a database clock that jumps %s, even when the reading is slow, and reports the jump once',
  (_, jump) => {
    const { clock, read, jumps } = createClock()
    read(0, [1, 1])
    read(1_000, [400, 400], EPOCH_MS + jump)
    expect(clock.timeAt(0)).toBe(EPOCH_MS + jump)
    read(2_000, [1, 1], EPOCH_MS + jump)
    expect(jumps).toEqual([jump])
  },
)

test('ignores a reading that took a minute, whether the request or the answer was slow', () => {
  const { clock, read, jumps } = createClock()
  read(0, [0, 0])
  read(1_000, [0, 60_000])
  expect(clock.timeAt(0)).toBe(EPOCH_MS)
  read(2_000, [60_000, 0])
  expect(clock.timeAt(0)).toBe(EPOCH_MS)
  expect(jumps).toEqual([])
})

test('follows a small correction of the database clock without reporting a jump', () => {
  const { clock, read, jumps } = createClock()
  read(0, [1, 1])
  read(1_000, [1, 1], EPOCH_MS - 30)
  expect(clock.timeAt(0)).toBe(EPOCH_MS - 30)
  expect(jumps).toEqual([])
})
