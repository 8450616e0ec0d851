import { type Closeness, judge } from '../contract/rules.ts'
import { formatDifference, formatTime } from '../contract/time.ts'
import { formatTaps } from './format.ts'
import type { Stopped } from './round.ts'

export type Shared = 'shared' | 'copied' | 'nothing'

const SQUARES: Readonly<Record<Closeness, string>> = {
  perfect: '🟨',
  close: '🟩',
  near: '🟦',
  fair: '⬜',
  off: '🟧',
  far: '🟫',
  wild: '🟥',
}

/** How many of the last results are shared. */
const SHARED_RESULTS = 5

/**
 * Three lines for a friend, times only and no names: this result, the last results (this one included) as squares with the
 * best that the page knows of, and the address.
 *
 * @param won the TAPS won by this result; null for none
 * @param differencesMs of the attempts so far, newest first, this one included or not
 */
export function shareText(
  { actualMs, targetMs, judgement }: Stopped,
  won: number | null,
  differencesMs: readonly number[],
): string {
  const { differenceMs } = judgement
  const all = differencesMs[0] === differenceMs ? differencesMs : [differenceMs, ...differencesMs]
  const last = all.slice(0, SHARED_RESULTS).reverse()
  const squares = last.map(ms => SQUARES[judge(0, ms).feedback.closeness]).join('')
  const best = formatDifference(Math.min(...all.map(Math.abs)))
  return [
    `TAPS ${formatTime(actualMs)} s for ${formatTime(targetMs)} s`,
    `${squares} best ${best} s`,
    won === null ? 'Closer?' : `won ${formatTaps(won)}. Closer?`,
  ].join('\n')
}

/** Sharing and copying need a secure page; over plain http there is no button. */
export function canShare(): boolean {
  return 'share' in navigator || 'clipboard' in navigator
}

/** Opens the share sheet where there is one, else copies. A sheet that is dismissed shares nothing. */
export async function share(text: string, url: string): Promise<Shared> {
  try {
    if (typeof navigator.share === 'function') {
      await navigator.share({ text, url })
      return 'shared'
    }
    await navigator.clipboard.writeText(`${text} ${url}`)
    return 'copied'
  } catch {
    return 'nothing'
  }
}
