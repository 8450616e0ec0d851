import { readJson, type Storage, writeJson } from './storage.ts'
import { createStore } from './store.ts'

export const SOUND_KEY = 'taps-sound'

export type SoundSettings = ReturnType<typeof openSoundSettings>

/** Whether the game plays sounds and vibrates: off until the player turns it on, and remembered. */
export function openSoundSettings(storage: Storage) {
  const on = createStore(readJson(storage, SOUND_KEY) === true)
  return {
    on,
    toggle() {
      on.set(!on.get())
      writeJson(storage, SOUND_KEY, on.get())
    },
  }
}

/** True on a device that can vibrate, a phone. Other browsers have the call, which does nothing. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches
}
