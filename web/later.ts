import { createStore, type Store } from './store.ts'

/** What the first load need not wait for: the modes beside the game, and what a round can be played without. */
export type Later = typeof import('./components/later.ts')

/** How long after a failure it is asked for again, in ms: without it nobody could log in or claim. */
const RETRY_MS = 2_000

export interface LaterParts {
  /** Null until they are there. */
  readonly parts: Store<Later | null>
  /** Resolves once they are there, or have been asked for in vain; then they are asked for again. */
  load(): Promise<void>
}

export function createLater(): LaterParts {
  const parts = createStore<Later | null>(null)

  async function load(): Promise<void> {
    await import('./components/later.ts').then(parts.set, () => void setTimeout(load, RETRY_MS))
  }

  return { parts, load }
}
