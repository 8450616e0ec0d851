/** How long is waited for a paint where there is none, as in a tab in the background, or where none is told of. */
export const PATIENCE_MS = 500

/**
 * Resolves once the browser has shown something of the page: what is replaced before that was never there for the
 * player.
 *
 * @throws TypeError where a browser, or what it is extended with, has no performance observers
 */
export function firstPaint(): Promise<unknown> {
  return new Promise(resolve => {
    setTimeout(resolve, PATIENCE_MS)
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
  })
}
