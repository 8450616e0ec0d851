/** The longest wait for a paint: a tab in the background has none, and some browsers report none. */
export const MAX_WAIT_MS = 500

/**
 * Resolves once the browser has shown something of the page: what is replaced before that was never there for the
 * player.
 *
 * @throws TypeError where a browser, or what it is extended with, has no performance observers
 */
export function firstPaint(): Promise<unknown> {
  return new Promise(resolve => {
    setTimeout(resolve, MAX_WAIT_MS)
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
  })
}
