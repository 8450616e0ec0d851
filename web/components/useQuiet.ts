import { useEffect, useState } from 'react'

/** Nobody counts for longer: whoever forgot the run finds the page as it was. */
const QUIET_MS = 10_000

/** Whether everything but the game is to be quiet: while a round runs, for as long as somebody may be counting. */
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
