import { vi } from 'vitest'
import type { LimitName } from '../../contract/limits.ts'
import { Limiter } from '../../server/limits/limiter.ts'
import type { TestGame } from './game.ts'

/** The Retry-After of an exhausted limit, in s. */
export const NAMED_WAIT_S = 7

/** Makes a node refuse `key` at a limit until the test ends. A real limit would refill during the test. */
export function exhaust({ app: { limits } }: TestGame, key: string, name: LimitName): void {
  vi.spyOn(limits, 'tryTake').mockImplementation((...use) =>
    use[0] === name && use[1] === key ? NAMED_WAIT_S : Limiter.prototype.tryTake.apply(limits, use),
  )
}
