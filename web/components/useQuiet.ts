import { useEffect, useState } from 'react'

/** How long the page stays dimmed at most: longer than any target. */
const QUIET_MS = 10_000

/** Returns true while a round runs and the player may still be counting. */
export function useQuiet(isRunning: boolean): boolean {
  const [hasTimedOut, setHasTimedOut] = useState(false)
  useEffect(() => {
    setHasTimedOut(false)
    if (!isRunning) return
    const timer = setTimeout(() => setHasTimedOut(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [isRunning])
  return isRunning && !hasTimedOut
}
