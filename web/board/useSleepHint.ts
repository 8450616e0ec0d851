import { useEffect, useState } from 'react'
import { keepAwake } from './keep-awake.ts'

const SLEEP_HINT = "This screen may go to sleep: turn sleep off in this computer's settings."

/** Long enough for the person who sets up the wall, who then reads it once. */
const HINT_MS = 20_000

/** Keeps the screen awake. Where the browser refuses, returns what to do, for the first HINT_MS. */
export function useSleepHint(): string | null {
  const [isRefused, setIsRefused] = useState(false)
  const [isOver, setIsOver] = useState(false)
  useEffect(() => keepAwake(() => setIsRefused(true)), [])
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), HINT_MS)
    return () => clearTimeout(timer)
  }, [])
  return isRefused && !isOver ? SLEEP_HINT : null
}
