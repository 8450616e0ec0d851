import type { Socket } from 'node:net'
import type { Random } from '../support/random.ts'
import { type Carry, Relay } from '../support/relay.ts'

interface Quality {
  /** One way, on average, ms. */
  readonly delayMs: number
  /** How far from the average a piece may be, either way, ms. */
  readonly jitterMs: number
  readonly random: Random
}

/** A long and uneven way to a server: delays every piece of every connection in both directions, in order. */
export function openSlowLine(target: string, quality: Quality): Promise<Relay> {
  const wait = () => quality.delayMs + (2 * quality.random.next() - 1) * quality.jitterMs
  const carry: Carry = (near, far) => {
    // A new connection costs a round trip before it carries anything.
    forward(near, far, wait, wait() + wait())
    forward(far, near, wait, 0)
  }
  return Relay.toUrl(target, carry)
}

/** Whatever chance says, what was sent first arrives first. */
function forward(from: Socket, to: Socket, wait: () => number, setUpMs: number): void {
  const pieces: (Buffer | null)[] = []
  let due = performance.now() + setUpMs
  const later = (piece: Buffer | null) => {
    pieces.push(piece)
    due = Math.max(due, performance.now() + wait())
    setTimeout(() => {
      const next = pieces.shift()
      if (next) to.write(next)
      else to.end()
    }, due - performance.now())
  }
  from.on('data', later)
  from.on('end', () => later(null))
}
