/** The longest wait for a frame, in ms: a hidden page draws none. */
const LONGEST_MS = 100

/**
 * Resolves when the next frame has been drawn. The button shows a press at once, and everything else follows after that
 * frame: on a slow phone both in one frame take twice as long (docs/decisions/0026-presses.md).
 */
export function afterNextFrame(): Promise<void> {
  return new Promise(resolve => {
    // The callback runs before the frame is drawn; a new task runs after it.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_MS)
  })
}
