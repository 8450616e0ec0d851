import { userInfo } from 'node:os'
import { isatty } from 'node:tty'

/** Whether this process ends with its terminal: not when its output goes elsewhere, as with `nohup`. */
export const NEEDS_TERMINAL = isatty(1)

/** The signals that end the game or a command. The system sends SIGHUP when the terminal is lost. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = NEEDS_TERMINAL
  ? ['SIGTERM', 'SIGINT', 'SIGHUP']
  : ['SIGTERM', 'SIGINT']

const CLOSE_TIMEOUT_MS = 10_000

export interface Closable {
  close(): Promise<void>
}

/**
 * Closes the game on a stop signal, even during the start, and ends the process with exit code 0.
 *
 * @param onClosed - Runs when a game that was open is closed.
 * @returns a function that returns whether the game is closing
 */
export function closeOnSignal(
  running: Promise<Closable>,
  onClosed: (signal: NodeJS.Signals) => void,
): () => boolean {
  let closing = false
  // The signal may arrive twice, from the terminal and from npm.
  const close = async (signal: NodeJS.Signals) => {
    if (closing) return
    closing = true
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
    await running.then(
      game => game.close().then(() => onClosed(signal)),
      () => undefined,
    )
    process.exit(0)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, close)
  return () => closing
}

/** Ignores SIGHUP unless this process needs its terminal. Node would end even a process that `nohup` protects. */
export function outliveTerminal(): void {
  if (!NEEDS_TERMINAL) process.on('SIGHUP', () => undefined)
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
