/** The longest wait for a frame, because a hidden page draws no frames. */
const LONGEST_MS = 100

/**
 * Resolves when the next frame has been drawn. On slow phones, a press appears sooner
 * when the effect of the press waits for another frame (docs/decisions/0026-presses.md).
 */
export function afterNextFrame(): Promise<void> {
  return new Promise(resolve => {
    // The callback runs before the frame is drawn, and a new task runs afterwards.
    requestAnimationFrame(() => startTask(resolve))
    setTimeout(resolve, LONGEST_MS)
  })
}

/** Uses a message, because Chromium holds back timers during a touch. */
function startTask(task: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    task()
  }
  port2.postMessage(null)
}
