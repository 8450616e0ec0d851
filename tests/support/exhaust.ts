import { vi } from 'vitest'
import type { LimitName } from '../../contract/limits.ts'
import { Limiter } from '../../server/limits/limiter.ts'
import { Problem } from '../../server/problem.ts'
import type { TestGame } from './game.ts'

/** The Retry-After of a share that is used up, in s. */
export const NAMED_WAIT_S = 7

/**
 * Makes some shares of one key used up on a node, and no others, until the test ends. The size of shares and how they
 * refill has tests of its own; here a share that refills during a request would make a test depend on luck.
 */
export function exhaust(
  { services: { limits } }: TestGame,
  key: string,
  ...names: readonly LimitName[]
): void {
  vi.spyOn(limits, 'takeAll').mockImplementation(uses => {
    const used = uses.find(([name, whose]) => names.includes(name) && whose === key)
    if (used) throw new Problem('too_many_requests', { retryAfter: NAMED_WAIT_S })
    return Limiter.prototype.takeAll.call(limits, uses)
  })
}
