import { judge } from '../../contract/rules.ts'
import { formatDifference, formatTime } from '../../contract/time.ts'
import { copy } from '../lib/clipboard.ts'
import { formatTaps } from '../lib/format.ts'
import type { Stopped } from '../round/round.ts'

/** The largest difference with a white square; larger ones are red. */
const WHITE_UP_TO_MS = 300

/**
 * Writes one line that a stranger understands.
 *
 * @param hand - The differences of the hand so far, oldest first, with this result.
 */
export function shareText({ actualMs, targetMs, judgement }: Stopped, hand: readonly number[]): string {
  const squares = hand.map(squareOf).join('')
  const off = formatDifference(judgement.differenceMs)
  return `I stopped a hidden clock at ${formatTime(actualMs)} s, target ${formatTime(targetMs)}: ${off} off. ${squares} Closer?`
}

export function winText(won: number, { targetMs, judgement: { differenceMs } }: Stopped): string {
  const off = formatDifference(differenceMs)
  return `TAPS: I won ${formatTaps(won)} TAPS, ${off} s off ${formatTime(targetMs)} s ${squareOf(differenceMs)} Closer?`
}

/** @param hand - The differences of the five rounds, oldest first. */
export function handText(averageMs: number, hand: readonly number[]): string {
  return `TAPS: ${formatDifference(averageMs)} s average over five stops ${hand.map(squareOf).join('')} Closer?`
}

function squareOf(differenceMs: number): string {
  if (judge(0, differenceMs).wins) return '🟩'
  return Math.abs(differenceMs) <= WHITE_UP_TO_MS ? '⬜' : '🟥'
}

/** What became of a text to share. */
export type Shared = 'shared' | 'copied' | 'cancelled' | 'refused'

/**
 * Opens the browser's share sheet, or copies the text where the browser has or allows none.
 *
 * @returns `refused` when neither worked, so that the player must copy the text
 */
export async function share(text: string, url: string): Promise<Shared> {
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ text, url })
      return 'shared'
    }
  } catch (error) {
    // Other errors are the browser's: a permission policy, or a share that is still open.
    if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled'
  }
  return (await copy(`${text} ${url}`)) ? 'copied' : 'refused'
}
