import { useSyncExternalStore } from 'react'
import type { Store } from '../../lib/store.ts'

export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Reads a part of a store. Renders again only when this part is replaced. */
export function usePart<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
