import { useSyncExternalStore } from 'react'
import type { Store } from '../store.ts'

/** The state of a store, kept current while the component is mounted. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get)
}
