/** The longest wait for a frame, because a hidden page draws no frames. */
const LONGEST_MS = 100

/**
 * Resolves when the next frame has been drawn. On slow phones, a press appears sooner if the same frame does
 * not show its effect (docs/decisions/0026-presses.md).
 */
export function afterNextFrame(): Promise<void> {
  return new Promise(resolve => {
    // The callback runs before the frame is drawn, and a new task runs afterwards.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST_MS)
  })
}
