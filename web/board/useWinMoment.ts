import { useEffect, useState } from 'react'
import type { LastWin } from '../../contract/api.ts'

const MOMENT_MS = 3_000
/** The time for a small win, which happens often. */
const SHORT_MOMENT_MS = 1_200
/** The fewest TAPS of a win that is shown for the whole time. */
const LARGE_TAPS = 5

/**
 * Returns a new win for one to three seconds, then null. Ignores a win that was already known when the board opened.
 *
 * @param win - The last win; undefined until the pool is known.
 */
export function useWinMoment(win: LastWin | null | undefined): LastWin | null {
  const at = win === undefined ? undefined : (win?.created_at ?? null)
  const [seen, setSeen] = useState(at)
  const [shown, setShown] = useState<LastWin | null>(null)
  if (at !== undefined && at !== seen) {
    setSeen(at)
    if (seen !== undefined && win) setShown(win)
  }
  useEffect(() => {
    if (shown === null) return
    const ms = shown.won_taps < LARGE_TAPS ? SHORT_MOMENT_MS : MOMENT_MS
    const timer = setTimeout(() => setShown(null), ms)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}
