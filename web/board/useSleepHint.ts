import { useEffect, useState } from 'react'
import { useElapsed } from '../components/hooks/useTime.ts'

const SLEEP_HINT = "This screen may go to sleep: turn sleep off in this computer's settings."

/** Long enough for the person who sets up the wall, who then reads it once. */
const HINT_MS = 20_000

/** Keeps the screen awake. Where the browser refuses, returns what to do, for HINT_MS. */
export function useSleepHint(): string | null {
  const [refusal, setRefusal] = useState<object | null>(null)
  const isOver = useElapsed(refusal, HINT_MS)
  useEffect(() => keepAwake(() => setRefusal(known => known ?? {})), [])
  return refusal === null || isOver ? null : SLEEP_HINT
}

/**
 * Keeps the screen from dimming, on secure pages only. Requests the wake lock again when the tab reappears,
 * because browsers release the lock of a hidden tab.
 *
 * @param onRefused - Called when the screen may sleep all the same, such as over plain http.
 * @returns a function that lets the screen dim again
 */
function keepAwake(onRefused: () => void): () => void {
  if (!('wakeLock' in navigator)) {
    onRefused()
    return () => undefined
  }
  let lock: WakeLockSentinel | null = null
  let hasEnded = false

  async function request(): Promise<void> {
    if (document.hidden || hasEnded) return
    lock = await navigator.wakeLock.request('screen').catch(() => null)
    if (hasEnded) void lock?.release()
    else if (lock === null && !document.hidden) onRefused()
  }

  document.addEventListener('visibilitychange', request)
  void request()
  return () => {
    hasEnded = true
    document.removeEventListener('visibilitychange', request)
    void lock?.release()
  }
}
