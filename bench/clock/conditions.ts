import type { CDPSession, Page } from '@playwright/test'
import { Crowd } from '../../tests/support/busy-stream.ts'
import { BLOCK_MAIN_THREAD } from '../../tests/support/timed-round.ts'

/** A condition under which the page measures. */
export interface Condition {
  readonly name: string
  /** Sets the condition up; returns a function that ends it. */
  begin(page: Page, cdp: CDPSession, gameUrl: string): Promise<() => Promise<void>>
}

const THROTTLING = 6
const EVENTS_PER_SECOND = 10

const nothing = async () => undefined

export const CONDITIONS: readonly Condition[] = [
  { name: 'idle', begin: async () => nothing },
  {
    name: 'main thread blocked, 50 ms at a time',
    async begin(page) {
      await page.evaluate(BLOCK_MAIN_THREAD)
      return nothing
    },
  },
  {
    name: `CPU throttled ${THROTTLING}×`,
    async begin(_page, cdp) {
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING })
      return nothing
    },
  },
  {
    name: `live stream, ${EVENTS_PER_SECOND} events a second`,
    async begin(_page, _cdp, gameUrl) {
      const crowd = await Crowd.gather(gameUrl, EVENTS_PER_SECOND)
      return () => crowd.leave()
    },
  },
]
