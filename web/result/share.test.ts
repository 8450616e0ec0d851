import { expect, test, vi } from 'vitest'
import { stopped } from '../round/round.ts'
import { handText, share, shareText, winText } from './share.ts'

test('writes a result that a stranger understands, with a green, white or red square for each round', () => {
  expect(shareText(stopped(2_990, 3_120), [-100, 300, 301, 130])).toBe(
    'I stopped a hidden clock at 3.12 s, target 2.99: 0.130 off. 🟩⬜🟥⬜ Closer?',
  )
})

test('writes what was won, and the average of a hand', () => {
  expect(winText(1_024, stopped(2_990, 3_028))).toBe('TAPS: I won 1,024 TAPS, 0.038 s off 2.99 s 🟩 Closer?')
  expect(handText(142, [-100, 300, 38, 301, 130])).toBe(
    'TAPS: 0.142 s average over five stops 🟩⬜🟩🟥⬜ Closer?',
  )
})

const rejecting = (name: string) => vi.fn(() => Promise.reject(new DOMException('', name)))
const accepting = () => vi.fn(() => Promise.resolve())

test.each([
  ['shared', accepting(), accepting()],
  ['cancelled', rejecting('AbortError'), accepting()],
  ['copied', rejecting('NotAllowedError'), accepting()],
  ['copied', rejecting('InvalidStateError'), accepting()],
  ['copied', undefined, accepting()],
  ['refused', rejecting('NotAllowedError'), rejecting('NotAllowedError')],
  ['refused', undefined, rejecting('NotAllowedError')],
  ['refused', undefined, undefined],
] as const)('is %s when the share sheet is %o and the clipboard is %o', async (outcome, sheet, clipboard) => {
  vi.stubGlobal('navigator', { share: sheet, clipboard: clipboard && { writeText: clipboard } })
  expect(await share('A text', 'https://taps.example/')).toBe(outcome)
  if (outcome === 'copied') expect(clipboard).toHaveBeenCalledWith('A text https://taps.example/')
})
