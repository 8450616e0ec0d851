/** The longest wait: a hidden page draws no frames. */
const LONGEST_MS = 100

/**
 * Resolves when the next frame has been drawn. A press is shown in that frame alone, because a slow phone
 * takes twice as long for both (docs/decisions/0026-presses.md).
 */
export function afterNextFrame(): Promise<void> {
  return new Promise(resolve => {
    // The callback runs before the frame is drawn; a new task runs after it.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_MS)
  })
}
