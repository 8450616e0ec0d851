import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How many characters of a server's output are kept. */
const HEARD_MAX_CHARS = 200_000

/** A raw connection from an address of its own, which can send any bytes. */
export class Peer {
  readonly #socket: Socket
  /** Resolves when the connection has ended, on either side and in any way. */
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
   * @param from an address of 127.0.0.0/8; on Linux all of them are local
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

  /** The end of what the server has sent so far. */
  get heard(): string {
    return this.#heard
  }

  /** How many answers have begun so far, including those no longer kept. */
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

  /** Stops reading. */
  ignore(): void {
    this.#socket.pause()
  }

  leave(): void {
    this.#socket.destroy()
  }

  /** Waits until this many answers have come or the connection has ended. */
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
