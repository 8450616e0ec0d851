/**
 * Keeps the screen from dimming, on secure pages only. Requests the wake lock again when the tab reappears,
 * because browsers release the lock of a hidden tab.
 *
 * @param onRefused - Called when the screen may sleep all the same, such as over plain http.
 * @returns a function that lets the screen dim again
 */
export function keepAwake(onRefused: () => void): () => void {
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
