/** The longest wait for a paint, in ms: a background tab does not paint, and some browsers do not report it. */
export const MAX_WAIT_MS = 500

/**
 * Resolves once the browser has painted something of the page. What is replaced before that, no player has seen.
 *
 * @throws TypeError where the browser, or an extension, has removed performance observers
 */
export function firstPaint(): Promise<unknown> {
  return new Promise(resolve => {
    setTimeout(resolve, MAX_WAIT_MS)
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
  })
}
