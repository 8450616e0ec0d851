import type { Attempt } from '../../contract/api.ts'
import { toMs } from '../../contract/time.ts'
import { MESSAGES } from '../messages.ts'
import type { Recorded } from '../net/answers.ts'
import { type Answer, type Api, pageProblem } from '../net/api.ts'
import type { PendingAttempt } from './pending-attempt.ts'

/**
 * Looks for an attempt among the player's recorded attempts, because strangers answer in the game's place.
 *
 * @returns the answer to the attempt; null when nothing proves that the round has ended
 */
export async function lookForAttempt(
  api: Pick<Api, 'myAttempts' | 'session'>,
  pending: PendingAttempt,
): Promise<Answer<Recorded> | null> {
  const list = await api.myAttempts()
  if (!list.ok) return null
  const { attempts } = list.body
  const { after } = pending
  // Without a last known attempt, only the newest one can be told from an older round with the same times.
  const newer = after === null ? attempts.slice(0, 1) : attempts.filter(({ id }) => id > after)
  const own = newer.find(attempt => isSame(attempt, pending))
  if (own !== undefined) return answerFor(api, own)
  return newer.length > 0 && after !== null ? pageProblem('round_already_played', MESSAGES.overtaken) : null
}

function isSame({ target_time, actual_time }: Attempt, { target_ms, actual_ms }: PendingAttempt): boolean {
  return toMs(target_time) === target_ms && toMs(actual_time) === actual_ms
}

/** Returns what the server's answer to the attempt would be now. */
async function answerFor(api: Pick<Api, 'session'>, attempt: Attempt): Promise<Answer<Recorded> | null> {
  const session = await api.session()
  if (!session.ok) return null
  const { prize, round, record } = session.body
  const { verified } = attempt
  const reason = verified ? null : 'clock'
  return { ok: true, body: { attempt, verified, reason, prize, round, ...(record && { record }) } }
}
