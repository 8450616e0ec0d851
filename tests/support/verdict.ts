import { expect } from 'vitest'
import type { Auditor } from './audit.ts'
import type { Crowd } from './crowd.ts'
import type { LedgerWatch } from './ledger-watch.ts'

/**
 * Checks everything that must hold once the crowd has left.
 *
 * @param before - How many attempts there were before the crowd.
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
  const { acknowledged, credited, wrongs } = crowd
  expect(wrongs).toEqual([])
  expect(await auditor.lost(acknowledged)).toEqual([])
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length)
  // Unanswered attempts were repeated until they were answered, so there are no others.
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
