import { useEffect, useState } from 'react'
import type { LastWin } from '../../contract/api.ts'

/** How long a win is shown in gold, in ms. */
export const MOMENT_MS = 3_000

/**
 * Returns a win for a moment when it happens; the win that was already there when the board opened is no news.
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
    const timer = setTimeout(() => setShown(null), MOMENT_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}
