import { useLayoutEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '../motion.ts'
import { useSettled } from './useSettled.ts'

/** As long as every transition of the page. */
const COUNT_MS = 300

/**
 * An amount that counts up softly to its new value; smaller ones and steps of 1 are taken at once, and so is
 * everything on a page that is hidden or wants no motion, or that changes in quick succession.
 */
export function useCountUp(value: number): number {
  const [counted, setCounted] = useState<number | null>(null)
  const shown = counted ?? value
  const last = useRef(shown)
  const calm = useSettled(value)

  useLayoutEffect(() => {
    const from = last.current
    last.current = value
    if (!calm || value - from < 2 || document.hidden || prefersReducedMotion()) return
    setCounted(from)
    let began: number | null = null
    let frame = requestAnimationFrame(function count(now) {
      began ??= now
      const share = Math.min(1, (now - began) / COUNT_MS)
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
