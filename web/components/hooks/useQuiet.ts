import { useEffect, useState } from 'react'

/** The longest time that the page stays dimmed; exceeds every target. */
const QUIET_MS = 10_000

/** Returns true during a round while the player may be counting. */
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
