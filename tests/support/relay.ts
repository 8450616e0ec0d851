import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import pg from 'pg'
import type { Connection } from '../../server/database/connection.ts'

/** A TCP relay to a server. A test can cut the relay, repair it or make it hang. */
export class Relay {
  readonly #target: NetConnectOpts
  readonly #server = createServer({ noDelay: true }, near => this.#accept(near))
  readonly #sockets = new Set<Socket>()
  #hangs = false
  /** A free port, which stays the same after every cut. */
  #port = 0

  protected constructor(target: NetConnectOpts) {
    this.#target = target
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** The number of open sockets: two for each connection. */
  get sockets(): number {
    return this.#sockets.size
  }

  async repair(): Promise<void> {
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

  /** Keeps accepting connections and bytes, but passes nothing on. */
  hang(): void {
    this.#hangs = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Passes on the bytes that were held back, and all later bytes. */
  resume(): void {
    this.#hangs = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Passes on all bytes. When one side ends, the other side ends too. */
  protected carry(near: Socket, far: Socket): void {
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on('data', piece => to.write(piece))
      from.on('end', () => to.end())
      from.on('close', () => to.destroy())
    }
  }

  #accept(near: Socket): void {
    const far = connect({ ...this.#target, noDelay: true })
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
    }
    this.carry(near, far)
    if (this.#hangs) for (const socket of [near, far]) socket.pause()
  }
}

/** A relay to a database. The relay is cut at first. */
export class DatabaseRelay extends Relay {
  readonly #login: Connection

  static async open(connection: Connection): Promise<DatabaseRelay> {
    const relay = new DatabaseRelay(connection)
    await relay.repair()
    await relay.cut()
    return relay
  }

  private constructor(connection: Connection) {
    const { host, port, user, password, database } = new pg.Client(connection)
    super(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    this.#login = { user, password, database }
  }

  get connection(): Connection {
    return { ...this.#login, host: '127.0.0.1', port: this.port }
  }
}

/** The points at which a call can be cut off. The server serves the call except at the first point. */
export const CUTS = [
  'before the request',
  'before the answer',
  'in the head of the answer',
  'in the body of the answer',
] as const
export type Cut = (typeof CUTS)[number]

/** The fate of a call that is not cut off. */
const REPLACED = 'replaces the answer by its own page'

/** A page such as a captive portal's, or an error page of a proxy. */
const OWN_PAGE = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\n\r\n<h1>Please wait</h1>',
)

const HEAD_END = '\r\n\r\n'
const NOTHING: Buffer = Buffer.alloc(0)

interface Plan {
  readonly path: string
  readonly fate: Cut | typeof REPLACED
  /** The number of calls that the plan still concerns. */
  left: number
}

/** An HTTP relay that can break off the calls to one path, or replace their answers. */
export class HttpRelay extends Relay {
  #plan: Plan | null = null

  static async open(target: string): Promise<HttpRelay> {
    const { hostname, port } = new URL(target)
    const relay = new HttpRelay({ host: hostname, port: Number(port) })
    await relay.repair()
    return relay
  }

  /** Breaks off or replaces the next calls to `path`; by default all calls, including repeated calls. */
  breakOff(path: string, fate: Plan['fate'], calls = Number.POSITIVE_INFINITY): void {
    this.#plan = { path, fate, left: calls }
  }

  stopBreaking(): void {
    this.#plan = null
  }

  /** Handles one request at a time, because clients wait for each answer. */
  protected override carry(near: Socket, far: Socket): void {
    let sent = NOTHING
    let answer = NOTHING
    let fate: Plan['fate'] | null = null
    near.on('data', piece => {
      sent = Buffer.concat([sent, piece])
      const length = messageLength(sent)
      if (sent.length < length) return
      const request = sent
      sent = NOTHING
      fate = this.#fateOf(request)
      if (fate === 'before the request') return this.#end(near, NOTHING)
      far.write(request)
    })
    far.on('data', piece => {
      if (fate === null) return void near.write(piece)
      answer = Buffer.concat([answer, piece])
      if (answer.length < messageLength(answer)) return
      if (fate !== REPLACED) return this.#end(near, answer.subarray(0, cutAt(answer, fate)))
      near.write(OWN_PAGE)
      answer = NOTHING
      fate = null
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }

  #fateOf(request: Buffer): Plan['fate'] | null {
    const plan = this.#plan
    if (plan === null || pathOf(request) !== plan.path || plan.left <= 0) return null
    plan.left -= 1
    return plan.fate
  }

  #end(near: Socket, part: Buffer): void {
    if (part.length === 0) near.resetAndDestroy()
    // A reset could drop the part that was already sent.
    else near.end(part, () => near.destroy())
  }
}

function pathOf(request: Buffer): string {
  const [, path = ''] = request.toString('latin1', 0, request.indexOf('\r\n')).split(' ')
  return path
}

/** Returns the length of the message at the start of the buffer; infinite while the head is incomplete. */
function messageLength(message: Buffer): number {
  const headEnd = message.indexOf(HEAD_END)
  if (headEnd < 0) return Number.POSITIVE_INFINITY
  const [, length = '0'] = /^content-length: (\d+)$/im.exec(message.toString('latin1', 0, headEnd)) ?? []
  return headEnd + HEAD_END.length + Number(length)
}

/** Returns where to cut an answer. Cuts a head within a cookie, because browsers may accept half a cookie. */
function cutAt(answer: Buffer, cut: Cut): number {
  if (cut === 'before the answer') return 0
  const bodyAt = answer.indexOf(HEAD_END) + HEAD_END.length
  if (cut === 'in the body of the answer') return Math.floor((bodyAt + answer.length) / 2)
  const cookie = /^set-cookie: [^;]*/im.exec(answer.toString('latin1', 0, bodyAt))
  return cookie ? cookie.index + cookie[0].length - 10 : Math.floor(bodyAt / 2)
}
