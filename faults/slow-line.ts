import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Dice } from './size.ts'

interface Quality {
  /** One way, on average, ms. */
  readonly delayMs: number
  /** How far from the average a piece may be, either way, ms. */
  readonly jitterMs: number
  readonly dice: Dice
}

/** A long and uneven way to a server: delays every piece of every connection in both directions, in order. */
export class SlowLine {
  readonly #target: URL
  readonly #quality: Quality
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cut = false

  private constructor(target: string, quality: Quality) {
    this.#target = new URL(target)
    this.#quality = quality
    this.#server = createServer({ noDelay: true }, socket => this.#carry(socket))
  }

  static async open(target: string, quality: Quality): Promise<SlowLine> {
    const line = new SlowLine(target, quality)
    line.#server.listen(0, '127.0.0.1')
    await once(line.#server, 'listening')
    return line
  }

  /** Where the far end of the line is. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  /** Breaks every connection, and every new one until it is mended. */
  cut(): void {
    this.#cut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#cut = false
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #carry(near: Socket): void {
    if (this.#cut) return void near.destroy()
    const far = connect({ host: this.#target.hostname, port: Number(this.#target.port), noDelay: true })
    // A new connection costs a round trip before it carries anything.
    this.#forward(near, far, this.#wait() + this.#wait())
    this.#forward(far, near, 0)
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(socket)
      // A connection that breaks at one end breaks at the other, and says no more about it.
      socket.on('error', () => other.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
    }
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
