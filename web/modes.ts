import { createStore, type Store } from './store.ts'

/** The modes beside the game. */
export type Modes = typeof import('./components/modes.ts')

/** How long after a failure their code is asked for again, in ms; without a line nobody could log in or claim either. */
const RETRY_MS = 2_000

/** Loads the modes beside the game, which the first load need not wait for; null until they are there. */
export function createModes() {
  const modes: Store<Modes | null> = createStore<Modes | null>(null)

  async function load(): Promise<void> {
    await import('./components/modes.ts').then(modes.set, () => setTimeout(load, RETRY_MS))
  }

  return { modes, load }
}
