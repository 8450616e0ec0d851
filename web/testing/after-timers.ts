import { vi } from 'vitest'

/** Runs all fake timers, then returns `value`. */
export async function afterTimers<Value>(value: Promise<Value>): Promise<Value> {
  await vi.runAllTimersAsync()
  return value
}
