import type { OutgoingHttpHeader, ServerResponse } from 'node:http'

/** A viewer with more unsent bytes skips events. */
const MAX_UNSENT_BYTES = 64 * 1_024

const PING = Buffer.from(':\n\n')

export type AnswerHeaders = Readonly<Record<string, OutgoingHttpHeader | undefined>>

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/**
 * The live stream of one viewer. The body ends with the connection instead of using chunks, so the same bytes
 * go into every socket.
 */
export class Stream {
  readonly #response: ServerResponse
  #behind = false

  /**
   * @param headers - The headers of every answer.
   * @param first - The first events.
   */
  constructor(response: ServerResponse, headers: AnswerHeaders, first: Buffer) {
    this.#response = response
    // A further request on this connection could never be answered.
    response.socket?.once('data', () => response.destroy())
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { ...headers, ...HEADERS })
    // Writes bytes: with a text, Node would keep 1 kB of headers for each viewer.
    response.write(first)
  }

  /**
   * Sends an event, or skips it while too much is unsent.
   *
   * @param everything - Sent instead to a viewer who has skipped events.
   */
  send(bytes: Buffer, everything: Buffer): void {
    const { socket } = this.#response
    if (!socket?.writable) return
    if (socket.writableLength > MAX_UNSENT_BYTES) {
      this.#behind = true
      return
    }
    socket.write(this.#behind ? everything : bytes)
    this.#behind = false
  }

  /**
   * Ends the stream of a viewer who has fallen behind; keeps proxies from closing a quiet stream.
   *
   * @param quiet - True when nothing was sent since the last ping.
   */
  ping(quiet: boolean, everything: Buffer): void {
    const { socket } = this.#response
    if (!socket?.writable) return
    if (this.#behind && socket.writableLength > MAX_UNSENT_BYTES) this.#response.destroy()
    else if (quiet || this.#behind) this.send(PING, everything)
  }

  end(): void {
    const { socket } = this.#response
    this.#response.end()
    // A stalled viewer would keep the connection open.
    if (socket && socket.writableLength > 0) this.#response.destroy()
  }
}
