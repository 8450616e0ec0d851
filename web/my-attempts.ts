import type { Attempt } from '../contract/api.ts'
import { MY_ATTEMPTS } from '../contract/rules.ts'
import type { Api } from './api.ts'
import { createStore, type Store } from './store.ts'

/** The player's own last attempts, newest first; empty until they have arrived. */
export interface MyAttempts {
  readonly attempts: Store<readonly Attempt[]>
  add(attempt: Attempt): void
  refetch(): Promise<void>
  /** The same for another player, of whom nothing is known yet. */
  renew(): Promise<void>
}

export function createMyAttempts(api: Pick<Api, 'myAttempts'>): MyAttempts {
  const attempts = createStore<readonly Attempt[]>([])
  let version = 0

  async function refetch(): Promise<void> {
    version += 1
    const asked = version
    const answer = await api.myAttempts()
    if (answer.ok && asked === version) attempts.set(answer.body.attempts)
  }

  return {
    attempts,
    refetch,
    renew() {
      attempts.set([])
      return refetch()
    },
    add(attempt) {
      version += 1
      const others = attempts.get().filter(({ id }) => id !== attempt.id)
      attempts.set([attempt, ...others].slice(0, MY_ATTEMPTS))
    },
  }
}
