import type { Logger } from '../log.ts'
import { awayReason } from './refusal.ts'

/** So often a database that is away is tried again. */
const RETRY_MS = 1_000
/** So often the log says that it still is. */
const TELL_MS = 60_000

/**
 * Tries something until the database is there for it, and says at once and then each minute that it is not.
 *
 * @param meanwhile done first of all whenever the database is away
 * @throws what no waiting mends; whatever `meanwhile` throws
 */
export async function outlastAbsence(
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
