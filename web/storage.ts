/** The part of the browser's storage that the page uses. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Where storage is forbidden or full, the game goes on from memory. */
export function browserStorage(): Storage {
  try {
    return globalThis.localStorage
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  }
}

/** The unchecked value stored under a key; null when there is none or it is not JSON. */
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
    // Full or forbidden: only a reload forgets the value.
  }
}
