import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'

/** The number of connections per address. */
const CONNECTIONS = 60
/** The pause before an ended connection is opened again. */
const REOPEN_MS = 10

let accounts = 0

/** The requests of each flood, all without a cookie. */
export const FLOODS = {
  session: () => ['GET', '/api/session'],
  page: () => ['GET', '/'],
  brackets: () => ['POST', '/api/attempts', '['.repeat(599) + ']'.repeat(599)],
  passwords: () => [
    'POST',
    '/api/users',
    `{"username":"Flood ${accounts++}","password":"correct horse battery"}`,
  ],
} as const satisfies Record<string, () => readonly [method: string, path: string, body?: string]>

export type FloodName = keyof typeof FLOODS

/** A flood from several addresses. Each connection sends a request after each answer. */
export class Flood {
  answers = 0
  readonly #url: URL
  readonly #name: FloodName
  #ended = false

  constructor(url: string, addresses: readonly string[], name: FloodName) {
    this.#url = new URL(url)
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
      await this.#connection(address)
      await sleep(REOPEN_MS)
    }
  }

  #connection(localAddress: string): Promise<unknown> {
    const { hostname: host, port } = this.#url
    const target = { host, port: Number(port), localAddress, rejectUnauthorized: false }
    const socket = connect(target, () => socket.write(this.#request()))
    socket.setEncoding('latin1')
    socket.on('error', () => undefined)
    socket.on('data', (text: string) => {
      // Ignores the later chunks of a long answer.
      if (!text.startsWith('HTTP/1.1 ')) return
      this.answers += 1
      if (this.#ended) socket.destroy()
      else socket.write(this.#request())
    })
    return new Promise(resolve => socket.once('close', resolve))
  }

  #request(): string {
    const [method, path, body = ''] = FLOODS[this.#name]()
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\n`
    if (body === '') return `${head}\r\n`
    return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
}
