import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** How many characters of a server's output are kept. */
const HEARD_MAX_CHARS = 200_000

/**
 * Connects to a server, to send any bytes.
 *
 * @param from an address of 127.0.0.0/8; on Linux all of them are local
 * @throws Error when the connection is refused
 */
export async function openSocket(url: string, from?: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** A raw connection from an address of its own, which can send any bytes. */
export class Peer {
  readonly #socket: Socket
  #heard = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      this.#heard = (this.#heard + chunk.toString('latin1')).slice(-HEARD_MAX_CHARS)
    })
  }

  /** As `openSocket`. */
  static async open(url: string, from: string): Promise<Peer> {
    return new Peer(await openSocket(url, from))
  }

  /** The statuses of the answers so far. */
  get statuses(): number[] {
    return Array.from(this.#heard.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))
  }

  say(bytes: string): void {
    if (this.#socket.writable) this.#socket.write(bytes, 'latin1')
  }

  /** Stops reading. */
  ignore(): void {
    this.#socket.pause()
  }

  leave(): void {
    this.#socket.destroy()
  }
}
