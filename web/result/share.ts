import { type Closeness, judge } from '../../contract/rules.ts'
import { formatDifference, formatTime } from '../../contract/time.ts'
import { formatTaps } from '../lib/format.ts'
import type { Stopped } from '../round/round.ts'

const SQUARES: Readonly<Record<Closeness, string>> = {
  perfect: '🟨',
  close: '🟩',
  near: '🟦',
  fair: '⬜',
  off: '🟧',
  far: '🟫',
  wild: '🟥',
}

const SHARED_RESULTS = 5

/**
 * Writes three lines without names: the result, the last differences, and the TAPS won and in the pool.
 *
 * @param won - The TAPS won by this result, or null.
 * @param differencesMs - The differences so far, newest first, with or without this result.
 * @param pool - The TAPS in the pool; null while unknown.
 */
export function shareText(
  { actualMs, targetMs, judgement }: Stopped,
  won: number | null,
  differencesMs: readonly number[],
  pool: number | null,
): string {
  const { differenceMs } = judgement
  const all = differencesMs[0] === differenceMs ? differencesMs : [differenceMs, ...differencesMs]
  const last = all.slice(0, SHARED_RESULTS).reverse()
  const squares = last.map(ms => SQUARES[judge(0, ms).feedback.closeness]).join('')
  const best = formatDifference(Math.min(...all.map(Math.abs)))
  return [
    `TAPS ${formatTime(actualMs)} s for ${formatTime(targetMs)} s`,
    `${squares} best ${best} s`,
    [
      won !== null && `won ${formatTaps(won)}.`,
      pool !== null && pool > 0 && `Pool: ${formatTaps(pool)} TAPS.`,
      'Closer?',
    ]
      .filter(Boolean)
      .join(' '),
  ].join('\n')
}

/** Returns true when the browser allows sharing or copying, which requires a secure page. */
export function canShare(): boolean {
  return 'share' in navigator || 'clipboard' in navigator
}

/**
 * Opens the browser's share sheet, or copies the text in a browser without one.
 *
 * @returns what was done; empty if the player or the browser has cancelled
 */
export async function share(text: string, url: string): Promise<string> {
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ text, url })
      return 'Shared'
    }
    await navigator.clipboard.writeText(`${text} ${url}`)
    return 'Copied'
  } catch {
    return ''
  }
}
