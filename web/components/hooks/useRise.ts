import { useEffect, useState } from 'react'
import { count, prefersReducedMotion } from '../../feel/motion.ts'

/** Counts an amount up from 1 when the component appears. */
export function useRise(amount: number): number {
  const [shown, setShown] = useState(() => (prefersReducedMotion() ? amount : 1))
  useEffect(() => (prefersReducedMotion() ? undefined : count(1, amount, setShown)), [amount])
  return shown
}
