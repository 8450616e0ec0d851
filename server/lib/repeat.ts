/** What is repeated takes at most this part of the time, however long it takes by itself. */
const SHARE = 1 / 50

/**
 * Runs an act again and again, with pauses that it can never fill: an act that gets slower comes more seldom.
 *
 * @param firstMs until the first time
 * @param intervalMs the least time between two
 * @param act handles its own errors: what it throws is an error of the program
 * @returns what ends it; resolves when the one under way has ended
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
