import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The longest that a browser takes for a command, on a machine that does much else. */
const COMMAND_TIMEOUT_MS = 60_000

interface Answer {
  readonly id: number | null
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

/** A connection by WebDriver BiDi: commands by number, each with one answer. */
export class Bidi {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #sent = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => {
      const answer: Answer = JSON.parse(String(data))
      if (answer.id === null) return
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  static async connect(url: string): Promise<Bidi> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    return new Bidi(socket)
  }

  /**
   * Sends a command and waits for its result.
   *
   * @throws Error with what the browser says, and after `COMMAND_TIMEOUT_MS`
   */
  async send<Result>(method: string, params: object = {}): Promise<Result> {
    this.#sent += 1
    const id = this.#sent
    const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS)
    const answer = await new Promise<Answer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`${method} was not answered`)))
      this.#waiting.set(id, resolve)
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error}: ${answer.message}`)
    // What the specification says of this method.
    return answer.result as Result
  }

  close(): void {
    this.#socket.terminate()
  }
}
