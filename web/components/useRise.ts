import { useEffect, useState } from 'react'
import { prefersReducedMotion } from '../motion.ts'

const RISE_MS = 600

/** Counts an amount up from 0 when it first appears. */
export function useRise(amount: number): number {
  const [share, setShare] = useState(() => (prefersReducedMotion() ? 1 : 0))
  useEffect(() => {
    if (prefersReducedMotion()) return
    const began = performance.now()
    let frame = requestAnimationFrame(function rise(now) {
      const reached = Math.min(1, Math.max(0, now - began) / RISE_MS)
      setShare(1 - (1 - reached) ** 3)
      if (reached < 1) frame = requestAnimationFrame(rise)
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return Math.round(amount * share)
}
