import { useLayoutEffect, useRef, useState } from 'react'
import { count, prefersReducedMotion } from '../../feel/motion.ts'
import { useSettled } from './useSettled.ts'

/**
 * Animates an amount to its new value. Skips the animation for steps of 1, rapid changes, hidden pages and
 * reduced motion.
 *
 * @param isCalm - Whether amounts may move; false during a round.
 * @param delayMs - The time before the amount begins to count.
 */
export function useCounted(value: number, isCalm = true, delayMs = 0): number {
  const [counted, setCounted] = useState<number | null>(null)
  const shown = counted ?? value
  const last = useRef(shown)
  const calm = useSettled(value, isCalm)

  useLayoutEffect(() => {
    const from = last.current
    last.current = value
    const isStep = Math.abs(value - from) < 2
    if (!calm || isStep || document.hidden || prefersReducedMotion()) return
    setCounted(from)
    const show = (amount: number) => {
      last.current = amount
      setCounted(amount)
    }
    const stop = count(from, value, show, delayMs)
    return () => {
      stop()
      setCounted(null)
    }
  }, [value, calm, delayMs])

  return shown
}
