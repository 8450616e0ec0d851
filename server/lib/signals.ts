/** Everything is closed within this; what still hangs then is cut off. */
const CLOSE_TIMEOUT_MS = 10_000

/** Something that runs until it is closed. */
export interface Closable {
  close(): Promise<void>
}

/**
 * Closes in order and ends the process at SIGTERM or SIGINT (Ctrl-C), with success: also what is not open yet, or fails to
 * open just then.
 *
 * @returns whether it is closing
 */
export function closeOnSignal(running: Promise<Closable>): () => boolean {
  let closing = false
  // A signal may come twice: from the terminal and from npm. The second one changes nothing.
  const close = async () => {
    if (closing) return
    closing = true
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
    await running.then(
      game => game.close(),
      () => undefined,
    )
    process.exit(0)
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
  return () => closing
}

/**
 * Lets the process outlive the readers of its output: a pipe that is closed must not end the game, nor keep it from
 * stopping the database in order.
 */
export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
