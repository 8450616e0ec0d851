import { nameKey } from '../../contract/name.ts'
import { Problem } from '../problem.ts'
import type { Limiter, Use } from './limiter.ts'

const WRONG: readonly string[] = ['invalid_password', 'username_taken']

/**
 * Limits guesses at passwords: a few from one address. While many addresses guess at one name, each further
 * address has two, so the owner gets in.
 *
 * @throws {Problem} too_many_requests before the attempt
 */
export async function throttleLogin<Result>(
  limits: Limiter,
  address: string,
  username: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  // In advance: of a hundred simultaneous guesses only as many as allowed are tried.
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
