import { createStore, type Store } from './store.ts'

/** What the first load need not wait for: the modes beside the game, and what a round can be played without. */
export type Later = typeof import('./components/later.ts')

/** How long after a failure it is asked for again, in ms: without it nobody could log in or claim. */
const RETRY_MS = 2_000

export interface LaterParts {
  /** Null until they are there. */
  readonly parts: Store<Later | null>
  /** Asks for them until they are there. */
  load(): Promise<Later>
}

export function createLater(): LaterParts {
  const parts = createStore<Later | null>(null)

  async function load(): Promise<Later> {
    try {
      const loaded = await import('./components/later.ts')
      parts.set(loaded)
      return loaded
    } catch {
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      return load()
    }
  }

  return { parts, load }
}
