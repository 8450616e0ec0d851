import { useLayoutEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '../motion.ts'
import { useSettled } from './useSettled.ts'

const COUNT_UP_MS = 300
const COUNT_DOWN_MS = 600

/**
 * Animates an amount to its new value. Jumps for steps of 1, rapid changes, hidden pages and reduced motion.
 *
 * @param isCalm - False during a run, when nothing may move.
 */
export function useCounted(value: number, isCalm = true): number {
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
    const countMs = value < from ? COUNT_DOWN_MS : COUNT_UP_MS
    let began: number | null = null
    let frame = requestAnimationFrame(function count(now) {
      began ??= now
      const share = Math.min(1, (now - began) / countMs)
      const reached = Math.round(from + (value - from) * easeInOut(share))
      last.current = reached
      setCounted(share < 1 ? reached : null)
      if (share < 1) frame = requestAnimationFrame(count)
    })
    return () => {
      cancelAnimationFrame(frame)
      setCounted(null)
    }
  }, [value, calm])

  return shown
}

function easeInOut(share: number): number {
  return share * share * (3 - 2 * share)
}
