import type { Logger } from '../log.ts'
import { awayReason } from './refusal.ts'

/** So often a database that is away is tried again. */
const RETRY_MS = 1_000
/** A sentence that is never written: Fastify must say one for each address, and the start says where the game is. */
export const NOTHING = ''
/** So often the log says that it still is. */
const TELL_MS = 60_000

type LogMethod = (this: Logger, args: [unknown, ...unknown[]], method: (...args: unknown[]) => void) => void

/**
 * A hook of the log: of all that fails while the database is away, or its disk is full, it writes a line at once and then
 * one each minute, with the reason and no stack. A line with `back` ends that.
 */
export function logOutageOnce(): LogMethod {
  let toldAt = Number.NEGATIVE_INFINITY
  return function logMethod(args, method) {
    const about = args[0]
    if (about === NOTHING) return
    const error = typeof about === 'object' && about !== null && 'err' in about ? about.err : null
    if (typeof about === 'object' && about !== null && 'back' in about) toldAt = Number.NEGATIVE_INFINITY
    const reason = error instanceof Error ? awayReason(error) : null
    if (reason === null) return method.apply(this, args)
    if (performance.now() - toldAt < TELL_MS) return
    toldAt = performance.now()
    method.call(this, { reason }, 'the database is away, or has no room')
  }
}

/**
 * Tries something until the database is there for it, and says at once and then each minute that it is not.
 *
 * @param meanwhile done first of all whenever the database is away
 * @throws what no waiting mends; whatever `meanwhile` throws
 */
export async function waitForDatabase(
  attempt: () => Promise<void>,
  meanwhile: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const reason = await attempt().then(() => null, reasonToWait)
    if (reason === null) return
    await meanwhile()
    if (performance.now() - toldAt >= TELL_MS) {
      toldAt = performance.now()
      log.warn({ reason }, 'the database is away: waiting for it')
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

function reasonToWait(error: unknown): string {
  const reason = awayReason(error)
  if (reason === null) throw error
  return reason
}
