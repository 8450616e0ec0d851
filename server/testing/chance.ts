/** Numbers that look random and are the same for the same seed. */
export interface Chance {
  /** Uniform in [0, 1). */
  next(): number
  /** Normal, with this mean and standard deviation. */
  normal(mean: number, deviation: number): number
  /** One of these, each as likely. */
  pick<Thing>(things: readonly [Thing, ...Thing[]]): Thing
}

/** Mulberry32: 32 bits of state are enough for a simulation and nothing else. */
export function chance(seed: number): Chance {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  let spare: number | null = null

  /** Marsaglia's polar method, which makes two at a time. */
  function standardNormal(): number {
    if (spare !== null) {
      const kept = spare
      spare = null
      return kept
    }
    for (;;) {
      const [x, y] = [2 * next() - 1, 2 * next() - 1]
      const square = x * x + y * y
      if (square === 0 || square >= 1) continue
      const scale = Math.sqrt((-2 * Math.log(square)) / square)
      spare = y * scale
      return x * scale
    }
  }

  return {
    next,
    normal: (mean, deviation) => mean + deviation * standardNormal(),
    pick: things => things[Math.floor(next() * things.length)] ?? things[0],
  }
}
