import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

/** Returns the page's monotonic clock in ms, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Returns true from a time on, in ms since the page's time origin; false for null. */
export function useIsPast(time: number | null): boolean {
  const [passed, setPassed] = useState<number | null>(null)
  useEffect(() => {
    if (time === null) return
    const timer = setTimeout(() => setPassed(time), time - performance.now())
    return () => clearTimeout(timer)
  }, [time])
  return time !== null && passed === time
}

/** Returns true once `ms` have passed since `moment` became another object. */
export function useElapsed(moment: object | null, ms: number): boolean {
  const [elapsed, setElapsed] = useState<object | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(moment), ms)
    return () => clearTimeout(timer)
  }, [moment, ms])
  return moment !== null && elapsed === moment
}
