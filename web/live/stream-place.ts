/**
 * The places for live streams in one browser. HTTP/1.1 has six connections for all tabs of a host, and calls need
 * the other two.
 */
const PLACES = ['taps-stream-1', 'taps-stream-2', 'taps-stream-3', 'taps-stream-4']

/** A place of the page's `own`, or why it has none: other tabs have `taken` all, or it is `unknown` what they have. */
export type Place = 'own' | 'taken' | 'unknown'

/** Gives the place back, or the request for it up. */
export type Release = () => void

/** Requests a place for a live stream. In a browser without locks, as over plain HTTP, places are `unknown`. */
export function requestPlace(onPlace: (place: Place) => void): Release {
  let isReleased = false
  let release: Release = () => undefined

  async function take(): Promise<void> {
    const place = await takePlace()
    if (typeof place !== 'string') release = place
    if (isReleased) release()
    else onPlace(typeof place === 'string' ? place : 'own')
  }

  if ('locks' in navigator) void take()
  else onPlace('unknown')
  return () => {
    isReleased = true
    release()
  }
}

/** Takes the first free place. An extension may refuse the locks. */
async function takePlace(): Promise<Release | 'taken' | 'unknown'> {
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
