/** The act takes at most this share of the time, however slow it is. */
const SHARE = 1 / 50

/**
 * Runs an act again and again. The pauses grow with its duration: an act that gets slower runs less often.
 *
 * @param firstMs until the first run
 * @param intervalMs the shortest pause
 * @param act handles its own errors: one that it throws ends the process
 * @returns a function that stops it and resolves when the run under way has ended
 */
export function repeat(firstMs: number, intervalMs: number, act: () => Promise<void>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let stopped = false

  async function run(): Promise<void> {
    const began = performance.now()
    await act()
    if (!stopped) runIn(Math.max(intervalMs, (performance.now() - began) / SHARE))
  }

  function runIn(ms: number): void {
    timer = setTimeout(() => {
      running = run()
    }, ms).unref()
  }

  runIn(firstMs)
  return () => {
    stopped = true
    clearTimeout(timer)
    return running
  }
}
