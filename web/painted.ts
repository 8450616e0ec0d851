/** How long a browser is waited for that does not tell what it paints. */
export const PATIENCE_MS = 500

/**
 * Resolves once the browser has shown something of the page, or at once when nobody looks at it: what is replaced
 * before that was never there for the player.
 */
export function firstPaint(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise(resolve => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'paint', buffered: true })
    setTimeout(resolve, PATIENCE_MS)
  })
}
