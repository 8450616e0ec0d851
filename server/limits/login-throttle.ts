import { nameKey } from '../../contract/name.ts'
import { Problem } from '../problem.ts'
import type { Limiter } from './limiter.ts'

/** The problems that mean a wrong password. */
const WRONG: readonly string[] = ['invalid_password', 'username_taken']

/**
 * Limits guesses at passwords without locking the owner out. From one address a name can be tried a few times, then every
 * ten seconds. While many addresses guess at one name, each further address can try it twice, then every ten minutes: the
 * guessers get nowhere, and the owner gets in from anywhere else.
 *
 * Unknown names count towards a limit of their own, so that going through names keeps nobody at the address from signing
 * in.
 *
 * @param address of `addressKey`
 * @param username as `checkName` gives it
 * @throws Problem `too_many_requests` before the attempt, or instead of `unknown_username`; whatever `attempt` throws
 */
export async function throttleLogin<Result>(
  limits: Limiter,
  address: string,
  username: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  // Taken in advance: of a hundred guesses at once only as many as allowed are tried.
  const refund = take(limits, address, nameKey(username))
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
