import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import pg from 'pg'
import type { Connection } from '../../server/database/pool.ts'

/** Carries what comes from either end of a connection to the other, and its end too. */
export type Carry = (near: Socket, far: Socket) => void

/** Carries everything as it comes; whatever ends one side ends the other. */
const carryAll: Carry = (near, far) => {
  for (const [from, to] of [[near, far] as const, [far, near] as const]) {
    from.on('data', piece => to.write(piece))
    from.on('end', () => to.end())
    from.on('close', () => to.destroy())
  }
}

/** A way to a server that a test can cut and mend, or let hang; what it does to the bytes it carries is up to `carry`. */
export class Relay {
  readonly #target: NetConnectOpts
  readonly #carry: Carry
  readonly #server = createServer({ noDelay: true }, near => this.#accept(near))
  readonly #sockets = new Set<Socket>()
  #hangs = false
  /** Free when it was opened, and the same after every cut. */
  #port = 0

  protected constructor(target: NetConnectOpts, carry: Carry = carryAll) {
    this.#target = target
    this.#carry = carry
  }

  /** A relay to an HTTP server, on a free port of this machine. */
  static async toUrl(url: string, carry?: Carry): Promise<Relay> {
    const { hostname, port } = new URL(url)
    const relay = new Relay({ host: hostname, port: Number(port) }, carry)
    await relay.mend()
    return relay
  }

  get port(): number {
    return this.#port
  }

  /** Where the near end is for HTTP. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async mend(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Drops every connection and refuses new ones. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Takes connections and bytes from now on and passes nothing on, as a network does that drops every packet. */
  hang(): void {
    this.#hangs = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Passes on what was held back, and everything from now on. */
  resume(): void {
    this.#hangs = false
    for (const socket of this.#sockets) socket.resume()
  }

  #accept(near: Socket): void {
    const far = connect({ ...this.#target, noDelay: true })
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(socket)
      // A connection that breaks at one end breaks at the other, and says no more about it.
      socket.on('error', () => other.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
    }
    this.#carry(near, far)
    if (this.#hangs) for (const socket of [near, far]) socket.pause()
  }
}

/** A relay to a database; it is cut until it is mended. */
export class DatabaseRelay extends Relay {
  readonly #login: Connection

  static async open(connection: Connection): Promise<DatabaseRelay> {
    const relay = new DatabaseRelay(connection)
    await relay.mend()
    await relay.cut()
    return relay
  }

  private constructor(connection: Connection) {
    const { host, port, user, password, database } = new pg.Client(connection)
    super(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    this.#login = { user, password, database }
  }

  /** To the database, by way of the relay. */
  get connection(): Connection {
    return { ...this.#login, host: '127.0.0.1', port: this.port }
  }
}
