import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import pg from 'pg'
import type { Connection } from '../database/pool.ts'

/** A way to the database that a test can cut and mend, or let hang. */
export class Relay {
  /** To the database, by way of the relay. */
  readonly connection: Connection
  readonly #target: NetConnectOpts
  readonly #server = createServer(socket => this.#forward(socket))
  /** Each side of each connection with its other side. */
  readonly #sides = new Map<Socket, Socket>()
  readonly #port: number
  #hangs = false

  private constructor(connection: Connection, port: number) {
    const { host, port: targetPort, user, password, database } = new pg.Client(connection)
    this.#target = host.startsWith('/')
      ? { path: `${host}/.s.PGSQL.${targetPort}` }
      : { host, port: targetPort }
    this.#port = port
    this.connection = { host: '127.0.0.1', port, user, password, database }
  }

  /** A relay on a free port of this machine; it is cut until it is mended. */
  static async open(connection: Connection): Promise<Relay> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return new Relay(connection, port)
  }

  async mend(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Drops every connection and refuses new ones. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sides.keys()) socket.destroy()
    await closed
  }

  /** Takes connections and bytes from now on and passes nothing on, as a network does that drops every packet. */
  hang(): void {
    this.#hangs = true
    for (const [from, to] of this.#sides) from.unpipe(to)
  }

  /** Passes on what was held back, and everything from now on. */
  resume(): void {
    this.#hangs = false
    for (const [from, to] of this.#sides) from.pipe(to)
  }

  #forward(socket: Socket): void {
    const target = connect(this.#target)
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.#sides.set(from, to)
      if (!this.#hangs) from.pipe(to)
      // The other side goes as well, whatever ended this one.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sides.delete(from)
        to.destroy()
      })
    }
  }
}
