import { useEffect, useState } from 'react'
import type { LastWin } from '../../contract/api.ts'

export const MOMENT_MS = 3_000

/**
 * Returns a new win for three seconds, then null. Ignores a win that was already known when the board opened.
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
