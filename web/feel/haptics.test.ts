import { afterEach, expect, test, vi } from 'vitest'
import { vibrate } from './haptics.ts'

function useDevice({ isCoarse }: { isCoarse: boolean }) {
  const felt = vi.fn()
  vi.stubGlobal('navigator', { vibrate: felt })
  vi.stubGlobal('matchMedia', () => ({ matches: isCoarse }))
  return felt
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each([
  ['start', [12]],
  ['wild', [20]],
  ['fair', [20]],
  ['near', [20, 40, 20]],
  ['close', [20, 40, 20]],
  ['won', [40, 60, 40, 60, 120]],
] as const)('vibrates for %s with the pattern %j on a touch device', (cue, pattern) => {
  const felt = useDevice({ isCoarse: true })
  vibrate(cue)
  expect(felt.mock.calls).toEqual([[pattern]])
})

test('does not vibrate on a device without touch', () => {
  const felt = useDevice({ isCoarse: false })
  vibrate('won')
  expect(felt).not.toHaveBeenCalled()
})
