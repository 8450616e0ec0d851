import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

/** One kept connection to a server that sends a request up to its last byte and holds that one back. */
export class Wire {
  readonly #socket: Socket
  readonly #host: string
  #received = Buffer.alloc(0)
  #lastByte = Buffer.alloc(0)

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      socket.emit('more')
    })
    socket.on('close', () => socket.emit('more'))
  }

  /** @param from one of the addresses 127.0.0.0/8, which Linux all has */
  static async open(url: string, from = '127.0.0.1'): Promise<Wire> {
    const { hostname, port, host } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, localAddress: from })
    await once(socket, 'connect')
    return new Wire(socket, host)
  }

  /** True until the server, or we, have ended it. */
  get isOpen(): boolean {
    return !this.#socket.closed
  }

  /**
   * Sends a POST of JSON but for its last byte.
   *
   * @param more further headers, each with the end of its line
   */
  prepare(path: string, cookie: string, json: unknown, more = ''): void {
    const body = Buffer.from(JSON.stringify(json))
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: ${this.#host}`,
      `cookie: ${cookie}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ]
    this.#socket.write(`${head.join('\r\n')}\r\n${more}\r\n`)
    this.#socket.write(body.subarray(0, -1))
    this.#lastByte = body.subarray(-1)
  }

  /** Lets the server have the request. */
  release(): void {
    this.#socket.write(this.#lastByte)
  }

  /** Waits for the answer, whose length the server states. */
  async answer(): Promise<{ status: number; body: unknown }> {
    for (;;) {
      const headEnd = this.#received.indexOf(HEAD_END)
      const head = headEnd < 0 ? '' : this.#received.toString('latin1', 0, headEnd)
      const end = headEnd + HEAD_END.length + Number(/^content-length: (\d+)$/im.exec(head)?.[1])
      if (headEnd >= 0 && this.#received.length >= end) {
        const body: unknown = JSON.parse(this.#received.toString('utf8', headEnd + HEAD_END.length, end))
        this.#received = this.#received.subarray(end)
        return { status: Number(head.split(' ')[1]), body }
      }
      if (!this.isOpen) throw new Error('The server has ended the connection')
      await once(this.#socket, 'more')
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}
