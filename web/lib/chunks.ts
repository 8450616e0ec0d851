/** Set while the page reloads because of a missing chunk, so that a chunk that stays missing causes one reload. */
const RELOADED_KEY = 'taps-reloaded'

let isMissing = false

/**
 * Loads a part of the page. Returns null if the part cannot be loaded: the connection is down, or an upgrade of
 * the server has replaced the part.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part | null> {
  try {
    const part = await load()
    sessionStorage.removeItem(RELOADED_KEY)
    return part
  } catch {
    isMissing = true
    return null
  }
}

/**
 * Reloads the page, unless a reload would lose something, the page has just done so, or the server does not
 * answer. Browsers may remember that a part was missing, so only a reload is sure to load the part of the
 * server's current version.
 *
 * @param isIdle - Returns true if a reload would lose nothing.
 * @returns false if the page stays
 */
export async function reloadOnce(isIdle: () => boolean): Promise<boolean> {
  if (!isIdle()) return false
  if (sessionStorage.getItem(RELOADED_KEY) !== null) return false
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null)
  if (answer?.ok !== true) return false
  sessionStorage.setItem(RELOADED_KEY, 'yes')
  location.reload()
  return true
}

/** After a load has failed, reloads the page when the player has left it. */
export function reloadWhenHidden(isIdle: () => boolean): void {
  document.addEventListener('visibilitychange', () => {
    if (isMissing && document.hidden) void reloadOnce(isIdle)
  })
}
