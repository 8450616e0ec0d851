import { useLayoutEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '../../feel/motion.ts'
import { useSettled } from './useSettled.ts'

const COUNT_MS = 600

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

/** Counts an amount up from 1 when the component appears. */
export function useRise(amount: number): number {
  const [shown, setShown] = useState(amount)
  useLayoutEffect(() => (prefersReducedMotion() ? undefined : count(1, amount, setShown)), [amount])
  return shown
}

/**
 * Counts from one amount to another, more and more slowly.
 *
 * @param show - Receives each amount, ending with `to`.
 * @returns a function that stops counting
 */
function count(from: number, to: number, show: (amount: number) => void, delayMs = 0): () => void {
  show(from)
  const began = performance.now() + delayMs
  let frame = requestAnimationFrame(function next(now) {
    const progress = Math.min(1, Math.max(0, now - began) / COUNT_MS)
    show(Math.round(from + (to - from) * (1 - (1 - progress) ** 3)))
    if (progress < 1) frame = requestAnimationFrame(next)
  })
  return () => cancelAnimationFrame(frame)
}
