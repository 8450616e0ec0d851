import { vi } from 'vitest'
import type { LimitName } from '../../contract/limits.ts'
import { Limiter } from '../../server/limits/limiter.ts'
import type { TestGame } from './game.ts'

/** The Retry-After of a limit that is used up, in s. */
export const NAMED_WAIT_S = 7

/**
 * Makes some limits of one key used up on a node until the test ends. Real limits refill, so tests would
 * depend on luck.
 */
export function exhaust({ app: { limits } }: TestGame, key: string, ...names: readonly LimitName[]): void {
  vi.spyOn(limits, 'tryTake').mockImplementation((...uses) => {
    const isUsedUp = uses.some(([name, whose]) => names.includes(name) && whose === key)
    return isUsedUp ? NAMED_WAIT_S : Limiter.prototype.tryTake.apply(limits, uses)
  })
}
