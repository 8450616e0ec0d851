import { readJson, type Storage, writeJson } from './storage.ts'
import { createStore, type Store } from './store.ts'

export const SENSES_KEY = 'taps-senses'

/** Whether the game may be heard and felt, besides being seen: off until the player says otherwise, remembered. */
export interface Senses {
  readonly on: Store<boolean>
  toggle(): void
}

export function openSenses(storage: Storage): Senses {
  const on = createStore(readJson(storage, SENSES_KEY) === true)
  return {
    on,
    toggle() {
      on.set(!on.get())
      writeJson(storage, SENSES_KEY, on.get())
    },
  }
}

/** True on a device that can be felt: a phone; other browsers know the call and do nothing. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches
}
