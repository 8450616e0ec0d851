import { checkName } from '../../contract/name.ts'
import { formatDifference, toMs } from '../../contract/time.ts'
import { writeEntry } from '../lib/entries.ts'
import { createStore } from '../lib/store.ts'

/** A difference that a friend asks to beat. Both parts are text from a stranger. */
export interface Dare {
  readonly differenceMs: number
  readonly by: string
}

const FRAGMENT = /^#beat=(\d\.\d{3})&by=([^&]+)$/

/** The largest difference that a dare can state. */
const MAX_MS = 9_999

/** Reads a dare from a fragment such as `#beat=0.130&by=mira`. Returns null for anything else. */
export function readDare(hash: string): Dare | null {
  const [, seconds, encoded] = FRAGMENT.exec(hash) ?? []
  if (seconds === undefined || encoded === undefined) return null
  const check = checkName(decode(encoded))
  return check.ok ? { differenceMs: toMs(Number(seconds)), by: check.name } : null
}

/** Returns the fragment of a dare; empty for a difference that a dare cannot state. */
export function dareFragment(differenceMs: number, by: string): string {
  if (Math.abs(differenceMs) > MAX_MS) return ''
  return `#beat=${formatDifference(differenceMs)}&by=${encodeURIComponent(by)}`
}

/** Returns an empty text for a broken encoding. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return ''
  }
}

export type Dares = ReturnType<typeof takeDares>

/**
 * Takes dares from the page's address, now and at each change of the fragment. Removes a dare from the
 * address, so that a reload or a copy does not carry it on. A dare ends when it is beaten.
 */
export function takeDares() {
  const dare = createStore<Dare | null>(null)

  function take(): void {
    const found = readDare(location.hash)
    if (found === null) return
    writeEntry('replaceState', history.state, location.pathname + location.search)
    dare.set(found)
  }

  take()
  addEventListener('hashchange', take)
  return {
    dare,
    /** Returns the dare that a verified result meets, or null. Ends the dare if the result is closer. */
    meet: (differenceMs: number): Dare | null => {
      const current = dare.get()
      if (current !== null && Math.abs(differenceMs) < current.differenceMs) dare.set(null)
      return current
    },
  }
}
