import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests that wait behind others of their connection. No browser sends any and no proxy passes them on; each takes
 * memory for as long as the answers before it are not taken.
 */
const MAX_WAITING = 100

/**
 * Serves the requests of one connection one after the other. Node would have all of them served at once, and tells
 * only the answer whose turn it is when the connection ends: what the others hold, an open file, they would hold for good.
 */
export class Pipelines {
  readonly #latest = new WeakMap<Socket, ServerResponse>()
  readonly #waiting = new WeakMap<Socket, number>()

  inTurn(serve: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request
      const before = this.#latest.get(socket)
      this.#latest.set(socket, response)
      if (!before || before.writableFinished) return serve(request, response)
      this.#count(socket, 1)
      before.once('close', () => {
        this.#count(socket, -1)
        if (!socket.destroyed) serve(request, response)
      })
    }
  }

  /** True where anything that is written now would become a part of an answer, or come before its turn. */
  isTaken(socket: Socket): boolean {
    const latest = this.#latest.get(socket)
    if (!latest || (this.#waiting.get(socket) ?? 0) > 0) return latest !== undefined
    return latest.headersSent && !(latest.writableFinished && latest.req.complete)
  }

  #count(socket: Socket, change: 1 | -1): void {
    const waiting = (this.#waiting.get(socket) ?? 0) + change
    this.#waiting.set(socket, waiting)
    if (waiting > MAX_WAITING) socket.destroy()
  }
}
