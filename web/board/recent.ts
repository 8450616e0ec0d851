import type { Attempt } from '../../contract/api.ts'

/** How many attempts the rail of board mode remembers; the feed holds the newest five. */
const REMEMBERED = 30

/** Adds what the feed brings to the attempts seen so far, newest first. */
export function remember(seen: readonly Attempt[], feed: readonly Attempt[]): readonly Attempt[] {
  const fresh = new Set(feed.map(({ id }) => id))
  return [...feed, ...seen.filter(({ id }) => !fresh.has(id))].slice(0, REMEMBERED)
}
