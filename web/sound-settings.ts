import { readJson, type Storage, writeJson } from './storage.ts'
import { createStore, type Store } from './store.ts'

export const SOUND_KEY = 'taps-sound'

/** Whether the game may be heard and felt, besides being seen: off until the player says otherwise, remembered. */
export interface SoundSettings {
  readonly on: Store<boolean>
  toggle(): void
}

export function openSoundSettings(storage: Storage): SoundSettings {
  const on = createStore(readJson(storage, SOUND_KEY) === true)
  return {
    on,
    toggle() {
      on.set(!on.get())
      writeJson(storage, SOUND_KEY, on.get())
    },
  }
}

/** True on a device that can be felt: a phone; other browsers know the call and do nothing. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches
}
