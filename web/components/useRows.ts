import { useEffect, useState } from 'react'
import { useCalm } from './useCalm.ts'

/** As long as every transition of the page. */
const LEAVE_MS = 300

export interface Rows<Item> {
  readonly items: readonly Item[]
  /** What has just gone, for as long as it takes to move out. */
  readonly leaving: readonly Item[]
  /** Whether rows move to their new places; otherwise they are there at once. */
  readonly calm: boolean
}

/** The rows of a live board, which leave as they came. */
export function useRows<Item>(
  now: readonly Item[] | null,
  keyOf: (item: Item) => string | number,
): Rows<Item> {
  const calm = useCalm(now)
  const [shown, setShown] = useState<{ items: typeof now; leaving: readonly Item[] }>({
    items: now,
    leaving: [],
  })
  if (shown.items !== now) {
    const keys = new Set(now?.map(keyOf))
    const gone = shown.items?.filter(item => !keys.has(keyOf(item))) ?? []
    setShown({ items: now, leaving: calm ? gone : [] })
  }
  const { leaving } = shown
  useEffect(() => {
    if (leaving.length === 0) return
    const timer = setTimeout(() => setShown(last => ({ ...last, leaving: [] })), LEAVE_MS)
    return () => clearTimeout(timer)
  }, [leaving])
  return { items: now ?? [], leaving, calm }
}
