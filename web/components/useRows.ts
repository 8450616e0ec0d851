import { useEffect, useState } from 'react'
import { useCalm } from './useCalm.ts'

/** As long as every transition of the page. */
const LEAVE_MS = 300

type Key = string | number

export interface Rows<Item> {
  readonly items: readonly Item[]
  /** What has just gone, for as long as it takes to move out. */
  readonly leaving: readonly Item[]
  /** Whether rows move to their new places; otherwise they are there at once. */
  readonly calm: boolean
  /** What came with the last change: it alone moves in. */
  readonly arrived: ReadonlySet<Key>
}

/** The rows of a live board, which leave as they came. */
export function useRows<Item>(now: readonly Item[] | null, keyOf: (item: Item) => Key): Rows<Item> {
  const calm = useCalm(now)
  const [shown, setShown] = useState({
    items: now,
    leaving: [] as readonly Item[],
    arrived: new Set<Key>() as ReadonlySet<Key>,
  })
  if (shown.items !== now) setShown(changed(shown.items ?? [], now ?? [], now, keyOf, calm))
  const { leaving, arrived } = shown
  useEffect(() => {
    if (leaving.length === 0) return
    const timer = setTimeout(() => setShown(last => ({ ...last, leaving: [] })), LEAVE_MS)
    return () => clearTimeout(timer)
  }, [leaving])
  return { items: now ?? [], leaving, calm, arrived }
}

function changed<Item>(
  before: readonly Item[],
  after: readonly Item[],
  items: readonly Item[] | null,
  keyOf: (item: Item) => Key,
  calm: boolean,
) {
  const were = new Set(before.map(keyOf))
  const are = new Set(after.map(keyOf))
  return {
    items,
    leaving: calm ? before.filter(item => !are.has(keyOf(item))) : [],
    arrived: new Set(calm ? [...are].filter(key => !were.has(key)) : []),
  }
}
