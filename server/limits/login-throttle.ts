import { nameKey } from '../../contract/name.ts'
import { Problem } from '../problem.ts'
import type { Limiter } from './limiter.ts'

/** What a wrong password is answered with. */
const WRONG: readonly string[] = ['invalid_password', 'username_taken']

/**
 * Lets a password be tried. Slows down those who guess passwords, and locks no owner out: from one address a name can be
 * tried a few times, then every ten seconds. A name that many addresses guess at together can be tried twice from each
 * further address, then every ten minutes: many guessers get nowhere, and an owner who knows the password gets in from
 * anywhere else.
 *
 * A name that nobody has is no password tried: of those an address has a share of its own, so that whoever goes through
 * names keeps nobody from signing in.
 *
 * @param address as `addressKey` writes it
 * @throws Problem `too_many_requests` before it is tried, or in the place of `unknown_username`; whatever `attempt` throws
 */
export async function throttleLogin<Result>(
  limits: Limiter,
  address: string,
  username: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  // Taken before it is known to be wrong: of a hundred guesses at once only so many are tried.
  const refund = take(limits, address, nameKey(username.trim()))
  try {
    const result = await attempt()
    refund()
    return result
  } catch (error) {
    const code = error instanceof Problem ? error.code : 'internal'
    if (!WRONG.includes(code)) refund()
    if (code === 'unknown_username') limits.take('unknownNames', address)
    throw error
  }
}

function take(limits: Limiter, address: string, name: string): () => void {
  const addressAndName = `${address} ${name}`
  const refund = limits.take('wrongPasswords', addressAndName)
  try {
    const refundShared = takeShared(limits, addressAndName, name)
    return () => {
      refund()
      refundShared()
    }
  } catch (error) {
    refund()
    throw error
  }
}

function takeShared(limits: Limiter, addressAndName: string, name: string): () => void {
  try {
    return limits.take('wrongPasswordsOfName', name)
  } catch {
    return limits.take('lastTries', addressAndName)
  }
}
