/**
 * Keeps the screen from dimming, on secure pages only. Requests the wake lock again when the tab reappears,
 * because browsers release the lock of a hidden tab.
 *
 * @returns a function that lets the screen dim again
 */
export function keepAwake(): () => void {
  if (!('wakeLock' in navigator)) return () => undefined
  let lock: WakeLockSentinel | null = null
  let hasEnded = false

  async function request(): Promise<void> {
    if (document.hidden || hasEnded) return
    lock = await navigator.wakeLock.request('screen').catch(() => null)
    if (hasEnded) void lock?.release()
  }

  document.addEventListener('visibilitychange', request)
  void request()
  return () => {
    hasEnded = true
    document.removeEventListener('visibilitychange', request)
    void lock?.release()
  }
}
