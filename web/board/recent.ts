import type { Attempt } from '../../contract/api.ts'

const REMEMBERED = 30

/** Merges the feed into the attempts seen so far, newest first. */
export function remember(seen: readonly Attempt[], feed: readonly Attempt[]): readonly Attempt[] {
  const fresh = new Set(feed.map(({ id }) => id))
  return [...feed, ...seen.filter(({ id }) => !fresh.has(id))].slice(0, REMEMBERED)
}
