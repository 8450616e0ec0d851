import type { Attempt } from '../../contract/api.ts'
import { MY_ATTEMPTS } from '../../contract/rules.ts'
import { createStore } from '../lib/store.ts'
import type { Api } from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'

export type MyAttempts = ReturnType<typeof createMyAttempts>

/** Keeps the player's last attempts, newest first; empty while unknown. */
export function createMyAttempts(api: Pick<Api, 'myAttempts'>) {
  const attempts = createStore<readonly Attempt[]>([])
  /** Whether all attempts are known, so that an empty list means no rounds. */
  const isKnown = createStore(false)
  let version = 0

  const put = (list: readonly Attempt[]) => attempts.set(list.slice(0, MY_ATTEMPTS))

  /** @returns whether the attempts are up to date, by this answer or by a later request */
  async function refetch(): Promise<boolean> {
    version += 1
    const requestedVersion = version
    const before = attempts.get()
    const answer = await persist(api.myAttempts, RETRY_LOST_ANSWERS)
    if (!answer.ok || requestedVersion !== version) return requestedVersion !== version
    const { attempts: read } = answer.body
    const newest = read[0]?.id ?? 0
    // Keeps attempts recorded while the answer was in flight.
    const added = attempts.get().filter(attempt => attempt.id > newest && !before.includes(attempt))
    put([...added, ...read])
    isKnown.set(true)
    return true
  }

  return {
    attempts,
    isKnown,
    refetch,
    /** Returns the ID of the last known attempt, 0 for none; null until loaded. */
    lastId: (): number | null => (isKnown.get() ? (attempts.get()[0]?.id ?? 0) : null),
    /** Replaces the attempts with those of another player, so that none in view is missing in between. */
    async renew(): Promise<void> {
      isKnown.set(false)
      if (!(await refetch())) attempts.set([])
    },
    add(attempt: Attempt): void {
      const others = attempts.get().filter(({ id }) => id !== attempt.id)
      put([attempt, ...others])
    },
  }
}

/** Returns the newest attempt of the feed that another player made, if any. */
export function findOther(feed: readonly Attempt[], own: readonly Attempt[]): Attempt | undefined {
  return feed.find(attempt => own.every(({ id }) => id !== attempt.id))
}
