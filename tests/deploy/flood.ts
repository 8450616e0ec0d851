import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { HttpConnection } from '../../bench/load/connection.ts'

/** The number of connections per address. */
const CONNECTIONS = 60
/** The pause before an ended connection is opened again. */
const REOPEN_MS = 10

let accounts = 0

/** The requests of each flood, all without a cookie. */
export const FLOODS = {
  session: flood => flood.get('/api/session', ''),
  page: flood => flood.get('/', ''),
  brackets: flood => flood.post('/api/attempts', '', '['.repeat(599) + ']'.repeat(599)),
  passwords: flood =>
    flood.post('/api/users', '', `{"username":"Flood ${accounts++}","password":"correct horse battery"}`),
} as const satisfies Record<string, (connection: HttpConnection) => Promise<unknown>>

export type FloodName = keyof typeof FLOODS

/** Opens a connection to a proxy from a local address. */
export async function openTls(url: string, localAddress: string): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(url)
  const target = { host, port: Number(port), localAddress, rejectUnauthorized: false }
  const socket = connect(target)
  await once(socket, 'secureConnect')
  return socket
}

/** A flood from several addresses. Each connection sends a request after each answer. */
export class Flood {
  answers = 0
  readonly #url: string
  readonly #name: FloodName
  #ended = false

  constructor(url: string, addresses: readonly string[], name: FloodName) {
    this.#url = url
    this.#name = name
    for (const address of addresses) {
      for (let n = 0; n < CONNECTIONS; n += 1) void this.#run(address)
    }
  }

  end(): void {
    this.#ended = true
  }

  async #run(address: string): Promise<void> {
    while (!this.#ended) {
      // Ignores refused and broken connections.
      await this.#connection(address).catch(() => undefined)
      await sleep(REOPEN_MS)
    }
  }

  async #connection(address: string): Promise<void> {
    const connection = new HttpConnection(await openTls(this.#url, address), this.#url)
    while (!this.#ended) {
      await FLOODS[this.#name](connection)
      this.answers += 1
    }
    connection.close()
  }
}
