export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const NOTHING: Storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

/** Returns `localStorage`, or a storage that keeps nothing where the browser has none or forbids access. */
export function browserStorage(): Storage {
  try {
    // WebViews without DOM storage have null.
    return (globalThis.localStorage as Storage | null) ?? NOTHING
  } catch {
    return NOTHING
  }
}

/** Reads a value without checking its type. Returns null when the value is missing, forbidden or not JSON. */
export function readJson(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Writes a value. A reload loses the value where storage is full or forbidden. */
export function writeJson(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // Readers find the earlier value, or none.
  }
}

export function removeStored(storage: Storage, key: string): void {
  try {
    storage.removeItem(key)
  } catch {
    // A storage that forbids this has stored nothing.
  }
}
