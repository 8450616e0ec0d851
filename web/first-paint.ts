/** The longest wait, because background tabs never paint and some browsers report no paints. */
export const MAX_WAIT_MS = 500

/**
 * Resolves once the browser has painted part of the page, or after `MAX_WAIT_MS`.
 *
 * @throws {TypeError} in a browser without performance observers
 */
export function firstPaint(): Promise<unknown> {
  return new Promise(resolve => {
    setTimeout(resolve, MAX_WAIT_MS)
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
  })
}
