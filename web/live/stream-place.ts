/**
 * The places for live streams in one browser. HTTP/1.1 has six connections for all tabs of a host, and calls need
 * the other two.
 */
const PLACES = ['taps-stream-1', 'taps-stream-2', 'taps-stream-3', 'taps-stream-4']

/** Gives the place back. */
export type Release = () => void

/**
 * Takes a place for a live stream.
 *
 * @returns `taken` when other tabs have all places, and `unknown` in a browser without locks, as over plain HTTP
 */
export async function takePlace(): Promise<Release | 'taken' | 'unknown'> {
  try {
    // TypeScript does not know that browsers leave it out.
    const { locks } = navigator as { locks?: LockManager | null }
    if (!locks) return 'unknown'
    for (const name of PLACES) {
      const release = await lock(locks, name)
      if (release !== null) return release
    }
    return 'taken'
  } catch {
    return 'unknown'
  }
}

/** Takes a lock, or returns null when another tab has the lock. */
function lock(locks: LockManager, name: string): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const hold = (granted: Lock | null) => {
      if (granted === null) return resolve(null)
      return new Promise<void>(release => resolve(release))
    }
    locks.request(name, { ifAvailable: true }, hold).catch(reject)
  })
}
