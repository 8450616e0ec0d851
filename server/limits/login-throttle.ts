import { nameKey } from '../../contract/name.ts'
import { Problem } from '../problem.ts'
import type { Limiter, Use } from './limiter.ts'

const WRONG: readonly string[] = ['invalid_password', 'username_taken']

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
  const uses = take(limits, address, nameKey(username))
  try {
    const result = await attempt()
    limits.refund(...uses)
    return result
  } catch (error) {
    if (!(error instanceof Problem && WRONG.includes(error.code))) limits.refund(...uses)
    throw error
  }
}

function take(limits: Limiter, address: string, name: string): readonly Use[] {
  const nameAtAddress = `${address} ${name}`
  const own: Use = ['wrongPasswords', nameAtAddress]
  const uses: Use[] = [own, ['wrongPasswordsOfName', name]]
  if (limits.tryTake(...uses) === 0) return uses
  const lastUses: Use[] = [own, ['lastTries', nameAtAddress]]
  limits.take(...lastUses)
  return lastUses
}
