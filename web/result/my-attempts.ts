import type { Attempt, PlayerRecord } from '../../contract/api.ts'
import { MY_ATTEMPTS } from '../../contract/rules.ts'
import { createLatest } from '../lib/latest.ts'
import { createStore } from '../lib/store.ts'
import type { Api } from '../net/api.ts'
import { persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'
import { type CompleteHand, completeHands } from './hand.ts'

export type MyAttempts = ReturnType<typeof createMyAttempts>

/** Where the player's hand stands, from the same answer as the attempts. */
interface HandState {
  /** The number of the last round; null while unknown. */
  readonly rounds: number | null
  /** Whether this page has recorded the last round, which a reload does not repeat. */
  readonly isFresh: boolean
}

const UNKNOWN: HandState = { rounds: null, isFresh: false }

/** Keeps the player's last attempts, newest first; empty while unknown. */
export function createMyAttempts(api: Pick<Api, 'myAttempts'>) {
  const attempts = createStore<readonly Attempt[]>([])
  /** Whether all attempts are known, so that an empty list means no rounds. */
  const isKnown = createStore(false)
  const hand = createStore(UNKNOWN)
  /** The hands that were ever known, because a list of today may have one of them for the whole day. */
  const hands = createStore<readonly CompleteHand[]>([])
  const supersede = createLatest()

  const put = (list: readonly Attempt[]) => attempts.set(list.slice(0, MY_ATTEMPTS))

  function setHand(rounds: number | null, isFresh: boolean): void {
    const found = completeHands(rounds, attempts.get())
    const known = hands.get().filter(({ id }) => found.every(hand => hand.id !== id))
    if (found.length > 0) hands.set([...found, ...known])
    hand.set({ rounds, isFresh })
  }

  /** @returns whether the attempts are up to date, by this answer or by a later request */
  async function refetch(): Promise<boolean> {
    const isLatest = supersede()
    const before = attempts.get()
    const answer = await persist(api.myAttempts, RETRY_LOST_ANSWERS)
    if (!answer.ok || !isLatest()) return !isLatest()
    const { attempts: read } = answer.body
    const newest = read[0]?.id ?? 0
    // Keeps attempts recorded while the answer was in flight.
    const added = attempts.get().filter(attempt => attempt.id > newest && !before.includes(attempt))
    const last = attempts.get()[0]?.id
    put([...added, ...read])
    isKnown.set(true)
    const { isFresh } = hand.get()
    // The record of an attempt that came while the answer was in flight is the newer one.
    if (added.length === 0) setHand(answer.body.record.rounds, isFresh && last === read[0]?.id)
    return true
  }

  return {
    attempts,
    isKnown,
    hand,
    hands,
    refetch,
    /** Replaces the attempts with those of another player, so that none in view is missing in between. */
    async renew(): Promise<void> {
      isKnown.set(false)
      hand.set(UNKNOWN)
      hands.set([])
      if (!(await refetch())) attempts.set([])
    },
    /**
     * Adds an attempt. Reads all attempts if rounds before this one are missing, as after rounds on another device.
     *
     * @param record - The record with this attempt in it.
     */
    add(attempt: Attempt, { rounds }: PlayerRecord): void {
      const others = attempts.get().filter(({ id }) => id !== attempt.id)
      const isNext = rounds === (hand.get().rounds ?? Number.NaN) + 1
      put([attempt, ...others])
      setHand(isNext ? rounds : null, true)
      if (!isNext) void refetch()
    },
  }
}

/** Returns the newest attempt of the feed that another player made, if any. */
export function findOther(feed: readonly Attempt[], own: readonly Attempt[]): Attempt | undefined {
  return feed.find(attempt => own.every(({ id }) => id !== attempt.id))
}
