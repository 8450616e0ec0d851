import type { LimitName } from '../../contract/limits.ts'
import { nameKey } from '../../contract/name-key.ts'
import { Problem } from '../problem.ts'
import type { Limiter } from './limiter.ts'

const WRONG: readonly string[] = ['invalid_password', 'username_taken']

type Use = readonly [limit: LimitName, key: string]

/**
 * Limits wrong passwords for a name, from one address and from all addresses. While a name is under attack,
 * each address still has two guesses, so that the owner can log in.
 *
 * @throws {Problem} too_many_requests before the attempt
 */
export async function throttleLogin<Result>(
  limits: Limiter,
  address: string,
  username: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  // Charges in advance, so that simultaneous guesses cannot exceed the limit.
  const uses = takeGuess(limits, address, nameKey(username))
  const refund = () => {
    for (const [limit, key] of uses) limits.refund(limit, key)
  }
  try {
    const result = await attempt()
    refund()
    return result
  } catch (error) {
    if (!(error instanceof Problem && WRONG.includes(error.code))) refund()
    throw error
  }
}

function takeGuess(limits: Limiter, address: string, name: string): readonly Use[] {
  const own: Use = ['wrongPasswords', `${address} ${name}`]
  const all: Use = ['wrongPasswordsOfName', name]
  const last: Use = ['lastTries', `${address} ${name}`]
  limits.take(...own)
  if (limits.tryTake(...all) === 0) return [own, all]
  const waitS = limits.tryTake(...last)
  if (waitS === 0) return [own, last]
  limits.refund(...own)
  throw new Problem('too_many_requests', { retryAfter: waitS })
}
