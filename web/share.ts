import { formatDifference, formatTime } from '../contract/time.ts'
import type { Stopped } from './round.ts'

export type Shared = 'shared' | 'copied' | 'nothing'

/** The line for a friend: times only, no names. */
export function shareText({ actualMs, targetMs, judgement }: Stopped): string {
  const times = `I stopped at ${formatTime(actualMs)} s for a target of ${formatTime(targetMs)} s`
  if (judgement.differenceMs === 0) return `${times}: perfect, to the millisecond. Try to do that in TAPS!`
  return `${times}, ${formatDifference(judgement.differenceMs)} s off. Can you come closer in TAPS?`
}

/** Both ways need a secure page; over plain http there is nothing to offer. */
export function canShare(): boolean {
  return 'share' in navigator || 'clipboard' in navigator
}

/** Opens the share sheet where there is one, or copies; a sheet that is closed again shares nothing. */
export async function share(result: Stopped, url: string): Promise<Shared> {
  const text = shareText(result)
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
