import { expect, test } from 'vitest'
import { ACTUAL_MAX_MS } from '../../contract/rules.ts'
import { IDLE, isDebounced, start, stop, stopped } from './round.ts'

const ROUND = { token: 'token', target_time: 3.21 }

test('measures an attempt between its two presses, in whole milliseconds', () => {
  const running = start(ROUND, 'Swift Heron 412', 1_000.3)
  expect(stop(running, 4_248.2)).toMatchObject({ phase: 'stopped', targetMs: 3_210, actualMs: 3_248 })
})

test.each([
  ['in the same instant', 0],
  ['before its Start, because the clock was set back', -5],
  ['within half a millisecond', 0.4],
])('counts one millisecond for a round stopped %s', (_when, after) => {
  expect(stop(start(ROUND, 'ola', 500), 500 + after)).toMatchObject({ actualMs: 1 })
})

test('allows a round of ten minutes, and not a millisecond more', () => {
  const running = start(ROUND, 'ola', 0)
  expect(stop(running, ACTUAL_MAX_MS)).toMatchObject({ actualMs: ACTUAL_MAX_MS })
  expect(stop(running, ACTUAL_MAX_MS + 1)).toBeNull()
})

test.each([
  { button: 'Stop', round: start(ROUND, 'ola', 1_000), after: 249.4, ignored: true },
  { button: 'Stop', round: start(ROUND, 'ola', 1_000), after: 250, ignored: false },
  { button: 'Start', round: stopped(3_210, 3_248, 1_000), after: 449.4, ignored: true },
  { button: 'Start', round: stopped(3_210, 3_248, 1_000), after: 450, ignored: false },
  { button: 'Start on another page', round: stopped(3_210, 3_248), after: 0, ignored: false },
  { button: 'the first Start', round: IDLE, after: 0, ignored: false },
  {
    button: 'Start, with the clock set back,',
    round: stopped(3_210, 3_248, 1_000),
    after: -1,
    ignored: false,
  },
])(
  'isDebounced returns $ignored for a press of $button $after ms after the last press',
  ({ round, after, ignored }) => {
    expect(isDebounced(round, 1_000 + after)).toBe(ignored)
  },
)
