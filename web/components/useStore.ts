import { useEffect, useState, useSyncExternalStore } from 'react'
import { painted } from '../painted.ts'
import type { Store } from '../store.ts'

/** The state of a store, kept current while the component is mounted. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** A part of it: the component is rendered again when that has been replaced, whatever else has. */
export function usePart<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}

/** The state of a store, one frame late: the frame in between shows the press that has set it. */
export function useAfterPaint<State>(store: Store<State>): State {
  const [state, setState] = useState(store.get)
  useEffect(() => {
    const follow = () => setState(store.get)
    follow()
    return store.subscribe(() => void painted().then(follow))
  }, [store])
  return state
}
