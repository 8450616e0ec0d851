import type { Socket } from 'node:net'
import type { Dice } from '../server/testing/dice.ts'
import { Line } from './line.ts'

interface Quality {
  /** One way, on average, ms. */
  readonly delayMs: number
  /** How far from the average a piece may be, either way, ms. */
  readonly jitterMs: number
  readonly dice: Dice
}

/** A long and uneven way to a server: delays every piece of every connection in both directions, in order. */
export class SlowLine extends Line {
  readonly #quality: Quality
  #cut = false

  private constructor(target: string, quality: Quality) {
    super(target)
    this.#quality = quality
  }

  static open(target: string, quality: Quality): Promise<SlowLine> {
    return new SlowLine(target, quality).listen()
  }

  /** Breaks every connection, and every new one until it is mended. */
  cut(): void {
    this.#cut = true
    this.breakAll()
  }

  mend(): void {
    this.#cut = false
  }

  protected override get accepts(): boolean {
    return !this.#cut
  }

  protected override carry(near: Socket, far: Socket): void {
    // A new connection costs a round trip before it carries anything.
    this.#forward(near, far, this.#wait() + this.#wait())
    this.#forward(far, near, 0)
  }

  /** Whatever chance says, what was sent first arrives first. */
  #forward(from: Socket, to: Socket, setUpMs: number): void {
    const pieces: (Buffer | null)[] = []
    let due = performance.now() + setUpMs
    const later = (piece: Buffer | null) => {
      pieces.push(piece)
      due = Math.max(due, performance.now() + this.#wait())
      setTimeout(() => {
        const next = pieces.shift()
        if (next) to.write(next)
        else to.end()
      }, due - performance.now())
    }
    from.on('data', later)
    from.on('end', () => later(null))
  }

  #wait(): number {
    const { delayMs, jitterMs, dice } = this.#quality
    return delayMs + (2 * dice.roll() - 1) * jitterMs
  }
}
