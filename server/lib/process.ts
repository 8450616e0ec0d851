import { userInfo } from 'node:os'

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const CLOSE_TIMEOUT_MS = 10_000

export interface Closable {
  close(): Promise<void>
}

/**
 * Closes the game on a stop signal, even during the start, and ends the process with exit code 0.
 *
 * @returns a function that returns whether the game is closing
 */
export function closeOnSignal(running: Promise<Closable>): () => boolean {
  let closing = false
  // The signal may arrive twice, from the terminal and from npm.
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

/** Ignores broken pipes, so that they cannot prevent an orderly stop. */
export function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** Returns the name of the current user, preceded by the user who ran `sudo`, if any. */
export function systemUser({ SUDO_USER }: NodeJS.ProcessEnv = process.env): string {
  const name = userName()
  return SUDO_USER && SUDO_USER !== name ? `${SUDO_USER} as ${name}` : name
}

/** Returns the name of the current user. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user ID may have no name in a container.
    return `user ${process.getuid?.()}`
  }
}
