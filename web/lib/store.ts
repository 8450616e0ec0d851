type Listener<State> = (now: State, before: State) => void

/** A value that notifies its listeners of changes. */
export interface Store<State> {
  get(): State
  set(next: State): void
  /**
   * Adds a listener, which receives the new and the previous value, and must not set the store. Returns a function
   * that removes the listener.
   */
  subscribe(listener: Listener<State>): () => void
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<Listener<State>>()
  return {
    get: () => state,
    set(next) {
      if (Object.is(next, state)) return
      const before = state
      state = next
      for (const listener of listeners) listener(next, before)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
