import { useEffect, useState } from 'react'

/** The longest time to dim the page, longer than any target. */
const QUIET_MS = 10_000

/** Returns true while a round runs and the player may still be counting. */
export function useQuiet(isRunning: boolean): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    setIsOver(false)
    if (!isRunning) return
    const timer = setTimeout(() => setIsOver(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [isRunning])
  return isRunning && !isOver
}
