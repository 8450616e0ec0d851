import { vi } from 'vitest'

/** Runs fake timers until `value` settles, then returns `value`. Ignores timers that another test has left. */
export async function afterTimers<Value>(value: Promise<Value>): Promise<Value> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  value.then(settle, settle)
  while (!isSettled) await vi.advanceTimersToNextTimerAsync()
  return value
}
