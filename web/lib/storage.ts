export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Returns `localStorage`, or an empty storage where the browser forbids access. */
export function browserStorage(): Storage {
  try {
    return globalThis.localStorage
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  }
}

/** Reads a value without checking its type. Returns null when the value is missing or not JSON. */
export function readJson(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export function writeJson(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full, so a reload loses the value.
  }
}
