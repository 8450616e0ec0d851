import { readJson, type Storage, writeJson } from './storage.ts'
import { createStore, type Store } from './store.ts'

/** An on/off setting stored in this browser. */
export interface Switch {
  readonly on: Store<boolean>
  readonly toggle: () => void
}

/** Reads the stored switches. By default, sound is off and vibration is on. */
export function openSwitches(storage: Storage) {
  return {
    sound: openSwitch(storage, 'taps-sound', false),
    vibration: openSwitch(storage, 'taps-vibration', true),
  }
}

function openSwitch(storage: Storage, key: string, initial: boolean): Switch {
  const stored = readJson(storage, key)
  const on = createStore(typeof stored === 'boolean' ? stored : initial)
  return {
    on,
    toggle() {
      on.set(!on.get())
      writeJson(storage, key, on.get())
    },
  }
}
