import { useSyncExternalStore } from 'react'
import type { Store } from '../store.ts'

/** The state of a store, kept current while the component is mounted. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** A part of it: the component is rendered again when that has been replaced, whatever else has. */
export function usePart<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
