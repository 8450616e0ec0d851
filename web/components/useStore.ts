import { useSyncExternalStore } from 'react'
import type { Store } from '../store.ts'

export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Renders again only when the picked part has been replaced. */
export function usePart<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
