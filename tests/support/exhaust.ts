import { vi } from 'vitest'
import type { LimitName } from '../../contract/limits.ts'
import { Limiter } from '../../server/limits/limiter.ts'
import type { TestGame } from './game.ts'

/** The Retry-After of an exhausted limit, in s. */
export const NAMED_WAIT_S = 7

/**
 * Makes a node refuse `key` at these limits until the test ends. Real limits would refill during the test.
 */
export function exhaust({ app: { limits } }: TestGame, key: string, ...names: readonly LimitName[]): void {
  vi.spyOn(limits, 'tryTake').mockImplementation((...uses) => {
    const isExhausted = uses.some(([name, whose]) => names.includes(name) && whose === key)
    return isExhausted ? NAMED_WAIT_S : Limiter.prototype.tryTake.apply(limits, uses)
  })
}
