import { useEffect, useState } from 'react'
import { useElapsed } from '../components/hooks/useTime.ts'

const SLEEP_HINT = "This screen may go to sleep: turn sleep off in this computer's settings."

/** Long enough for the person who sets up the wall, who then reads it once. */
const HINT_MS = 20_000

/**
 * Keeps the screen awake. Where the browser refuses, such as over plain http, returns what to do, for HINT_MS.
 * Requests the wake lock again when the tab reappears, because browsers release the lock of a hidden tab.
 */
export function useSleepHint(): string | null {
  const [refusal, setRefusal] = useState<object | null>(null)
  const isOver = useElapsed(refusal, HINT_MS)
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined
    const request = () => {
      if (document.hidden) return
      lock = requestLock().catch(() => {
        if (!document.hidden) setRefusal(known => known ?? {})
        return undefined
      })
    }
    document.addEventListener('visibilitychange', request)
    request()
    return () => {
      document.removeEventListener('visibilitychange', request)
      void lock?.then(sentinel => sentinel?.release())
    }
  }, [])
  return refusal === null || isOver ? null : SLEEP_HINT
}

/** Fails where the browser has no wake lock. */
async function requestLock(): Promise<WakeLockSentinel> {
  return navigator.wakeLock.request('screen')
}
