import { vi } from 'vitest'

/** The longest wait, in ms: shorter than the timeout of every test. */
const LONGEST_MS = 60_000

/**
 * Waits until a condition has a truthy value, and returns the value.
 *
 * @param what - The awaited state, which completes "waited for …".
 * @throws Error that names `what`, when the wait is too long or the condition throws
 */
export async function until<Value>(
  what: string,
  condition: () => Value | Promise<Value>,
  timeoutMs = LONGEST_MS,
) {
  return vi.waitUntil(condition, { timeout: timeoutMs, interval: 5 }).catch(cause => {
    throw new Error(`Waited for ${what}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
}
