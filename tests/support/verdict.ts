import { expect } from 'vitest'
import type { Auditor } from './audit.ts'
import type { Crowd } from './crowd.ts'
import type { LedgerWatch } from './ledger-watch.ts'

/**
 * Makes the crowd leave, then expects a balanced ledger and all acknowledged attempts and claims in the
 * database.
 *
 * @param before - The number of attempts recorded before the crowd.
 * @returns the figures of the crowd, for the report
 */
export async function expectNothingLost(
  crowd: Crowd,
  watch: LedgerWatch,
  auditor: Auditor,
  before = 0,
): Promise<Record<string, number>> {
  await crowd.leave()
  await watch.stop()
  const { acknowledged, credited } = crowd
  expect(await auditor.lost(acknowledged)).toEqual([])
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length)
  // Players repeat each attempt until it is answered, so no other attempts may exist.
  expect(await auditor.attempts()).toBe(before + acknowledged.length)
  expect(await auditor.unpaid([...credited.values()])).toEqual([])
  expect(await auditor.contradictions()).toEqual([])
  expect(watch.differences).toEqual([])
  return figuresOf(crowd, watch)
}

function figuresOf({ acknowledged, signUps, claims, statuses, slowestMs }: Crowd, watch: LedgerWatch) {
  return {
    'acknowledged attempts': acknowledged.length,
    'sign-ups': signUps,
    claims,
    'answered 503': statuses.get(503) ?? 0,
    unanswered: statuses.get('lost') ?? 0,
    'slowest answer ms': Math.round(slowestMs),
    'ledger reads': watch.reads,
  }
}
