import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is kept of what a server says. */
const HEARD_MAX_CHARS = 200_000

/** Somebody with a connection and an address of their own, who says whatever they like. */
export class Peer {
  readonly #socket: Socket
  /** Resolves when the connection has ended, by either side and in whatever way. */
  readonly closed: Promise<unknown>
  #heard = ''
  #total = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      const text = chunk.toString('latin1')
      this.#heard = (this.#heard + text).slice(-HEARD_MAX_CHARS)
      this.#total += text.split('HTTP/1.1 ').length - 1
    })
    this.closed = new Promise(resolve => socket.once('close', resolve))
  }

  /**
   * @param from one of the addresses 127.0.0.0/8, which Linux all has
   * @throws Error when the connection is refused
   */
  static async open(url: string, from = '127.0.0.1'): Promise<Peer> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: from })
    await once(socket, 'connect')
    return new Peer(socket)
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** What the server has said so far, the end of it. */
  get heard(): string {
    return this.#heard
  }

  /** How many answers have begun so far, also those that are no longer kept. */
  get total(): number {
    return this.#total
  }

  /** The statuses of the answers so far. */
  get statuses(): number[] {
    return Array.from(this.#heard.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))
  }

  say(bytes: string | Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes, 'latin1')
  }

  /** Takes nothing more of what the server says. */
  ignore(): void {
    this.#socket.pause()
  }

  leave(): void {
    this.#socket.destroy()
  }

  /** Waits until so many answers have come, or the connection has ended, but not for longer. */
  async answers(count: number, timeoutMs: number): Promise<number[]> {
    const patience = new AbortController()
    const deadline = performance.now() + timeoutMs
    while (this.total < count && this.isOpen && performance.now() < deadline) {
      const more = once(this.#socket, 'data', { signal: patience.signal }).catch(() => undefined)
      await Promise.race([more, this.closed, sleep(deadline - performance.now(), null, { ref: false })])
    }
    patience.abort()
    return this.statuses
  }
}
