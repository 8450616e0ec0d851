/**
 * A map that keeps at most `max` values. When full, forgets the older half, because finding the single oldest
 * key is slow under a flood.
 */
export class BoundedMap<Value> {
  readonly #ofGeneration: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(max: number) {
    this.#ofGeneration = Math.floor(max / 2)
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: string, value: Value): void {
    if (!this.#young.has(key) && this.#young.size >= this.#ofGeneration) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  forget(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
