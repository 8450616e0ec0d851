/** A page that nobody sees draws no frame: what waits for one goes on after this. */
const LONGEST_MS = 100

/**
 * Resolves when the next frame has been drawn. A press is shown by the button at once, and whatever else it does comes
 * after that frame: on a slow phone both together take twice as long (docs/decisions/0026-presses.md).
 */
export function painted(): Promise<void> {
  return new Promise(resolve => {
    // It is called before the frame is drawn, a task of its own comes after.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_MS)
  })
}
