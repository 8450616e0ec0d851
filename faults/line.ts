import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server of which each kind does something else to what it carries. */
export abstract class Line {
  readonly #target: URL
  readonly #server = createServer({ noDelay: true }, near => this.#accept(near))
  readonly #sockets = new Set<Socket>()

  constructor(target: string) {
    this.#target = new URL(target)
  }

  /** Where the near end of the line is. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.breakAll()
    await closed
  }

  /** Opens the near end on a free port of this machine. */
  protected async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  /** False while nobody gets through. */
  protected get accepts(): boolean {
    return true
  }

  /** Carries what comes from either end to the other. */
  protected abstract carry(near: Socket, far: Socket): void

  protected breakAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #accept(near: Socket): void {
    if (!this.accepts) return void near.destroy()
    const far = connect({ host: this.#target.hostname, port: Number(this.#target.port), noDelay: true })
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(socket)
      // A connection that breaks at one end breaks at the other, and says no more about it.
      socket.on('error', () => other.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
    }
    this.carry(near, far)
  }
}
