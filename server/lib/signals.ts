/** What asks a process to end: a service manager, Ctrl-C, a terminal that is closed. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** How long closing may take before the process ends anyway. */
const CLOSE_TIMEOUT_MS = 10_000

/** Something that runs until it is closed. */
export interface Closable {
  close(): Promise<void>
}

/**
 * When it is told to stop, closes in order and ends the process with success, also while it is still starting.
 *
 * @returns whether it is closing
 */
export function closeOnSignal(running: Promise<Closable>): () => boolean {
  let closing = false
  // The signal may arrive twice, from the terminal and from npm; the second one is ignored.
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
  for (const signal of STOP_SIGNALS) process.on(signal, close)
  return () => closing
}

/** Ignores broken pipes of the output, which must not end the game, nor keep it from stopping the database in order. */
export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
