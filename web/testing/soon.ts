import { vi } from 'vitest'

/** Lets all the waiting for `value` pass at once, with fake timers. */
export async function soon<Value>(value: Promise<Value>): Promise<Value> {
  await vi.runAllTimersAsync()
  return value
}
