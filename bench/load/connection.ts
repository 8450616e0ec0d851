import type { Socket } from 'node:net'
import { openSocket } from '../../tests/support/wire.ts'

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i
const STATUS_AT = 'HTTP/1.1 '.length
const ANSWER_TIMEOUT_MS = 15_000

export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

interface Waiter {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * A keep-alive HTTP/1.1 connection for one request at a time. Replaces `fetch`, which needs four
 * times the processor time and so would slow the server on the same machine.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #common: string
  #received = ''
  #waiter: Waiter | undefined

  /** @param url - The server's address, for the `host` header. */
  constructor(socket: Socket, url: string) {
    this.#socket = socket
    this.#common = ` HTTP/1.1\r\nhost: ${new URL(url).host}\r\nsec-fetch-site: same-origin\r\n`
    // Decodes one character per byte, so that lengths match `content-length`.
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', error => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The server closed the connection before answering')))
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
      if (this.#waiter) socket.destroy(new Error(`No answer within ${ANSWER_TIMEOUT_MS} ms`))
    })
  }

  static async open(url: string): Promise<HttpConnection> {
    return new HttpConnection(await openSocket(url), url)
  }

  get(path: string, cookie: string): Promise<Answer> {
    return this.#send(`GET ${path}${this.#common}cookie: ${cookie}${HEAD_END}`)
  }

  post(path: string, cookie: string, json: string): Promise<Answer> {
    const head = `POST ${path}${this.#common}cookie: ${cookie}\r\ncontent-type: application/json\r\n`
    return this.#send(`${head}content-length: ${Buffer.byteLength(json)}${HEAD_END}${json}`)
  }

  close(): void {
    this.#socket.destroy()
  }

  #send(request: string): Promise<Answer> {
    if (this.#socket.destroyed) return Promise.reject(new Error('The server has closed this connection'))
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
      this.#socket.write(request)
    })
  }

  #take(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = this.#received.slice(0, headEnd + 2)
    const bodyAt = headEnd + HEAD_END.length
    const end = bodyAt + Number(LENGTH.exec(head)?.[1] ?? 0)
    if (this.#received.length < end) return
    const body = this.#received.slice(bodyAt, end)
    this.#received = this.#received.slice(end)
    const waiter = this.#waiter
    this.#waiter = undefined
    waiter?.resolve({ status: Number(head.slice(STATUS_AT, STATUS_AT + 3)), head, body })
  }

  #fail(error: Error): void {
    this.#waiter?.reject(error)
    this.#waiter = undefined
  }
}
