import type { Today } from '../../contract/api.ts'
import { HAND_SIZE } from '../../contract/rules.ts'
import { createStore, type Store } from '../lib/store.ts'
import type { Dare } from '../round/against.ts'
import { type Averages, handOf } from './hand.ts'
import type { MyAttempts } from './my-attempts.ts'
import { type Place, placeOf } from './today.ts'

/** A hand that the last round of this page has ended. */
export interface HandEnd {
  /** The ID of the fifth attempt. */
  readonly id: number
  readonly averages: Averages
  /** The friend's hand that this one meets, or null. */
  readonly dare: Dare | null
  /** The place in today's list, which stays as first found. */
  readonly place: Place
}

interface Deps {
  readonly myAttempts: Pick<MyAttempts, 'attempts' | 'hand' | 'hands'>
  /** Today's list; null while unknown. */
  readonly today: Pick<Store<Today | null>, 'get' | 'subscribe'>
  /** Returns the user's name; null for a guest. */
  readonly username: () => string | null
  /** Compares a hand with a friend's, and ends the dare if the hand is closer. */
  readonly meetDare: (firstId: number, averageMs: number) => Dare | null
}

/** Watches for the end of a hand; null until the last round of this page has ended one. */
export function watchHandEnd({ myAttempts, today, username, meetDare }: Deps): Store<HandEnd | null> {
  const handEnd = createStore<HandEnd | null>(null)

  function findPlace(averageMs: number): Place {
    const reader = { username: username(), hands: myAttempts.hands.get() }
    return placeOf(today.get()?.today ?? null, averageMs, reader)
  }

  function followHand(): void {
    const { rounds, isFresh } = myAttempts.hand.get()
    const attempts = myAttempts.attempts.get()
    const { averages } = handOf(rounds, attempts)
    const [fifth] = attempts
    const first = attempts[HAND_SIZE - 1]
    if (!isFresh || averages === null || fifth === undefined || first === undefined) {
      handEnd.set(null)
      return
    }
    if (fifth.id === handEnd.get()?.id) return
    const dare = meetDare(first.id, averages.nowMs)
    handEnd.set({ id: fifth.id, averages, dare, place: findPlace(averages.nowMs) })
  }

  function followToday(): void {
    const end = handEnd.get()
    if (end === null || typeof end.place === 'number') return
    const place = findPlace(end.averages.nowMs)
    if (place !== end.place) handEnd.set({ ...end, place })
  }

  myAttempts.hand.subscribe(followHand)
  today.subscribe(followToday)
  return handEnd
}
