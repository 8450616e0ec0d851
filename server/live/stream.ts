import type { OutgoingHttpHeader, ServerResponse } from 'node:http'

/** A viewer with more unsent skips events until it has caught up. */
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
 * The live stream of one viewer. Not chunked: the body ends with the connection, so the same bytes go into
 * every socket.
 */
export class Stream {
  readonly #response: ServerResponse
  #behind = false

  /**
   * @param headers - Those of every answer.
   * @param first - The snapshots to begin with.
   */
  constructor(response: ServerResponse, headers: AnswerHeaders, first: Buffer) {
    this.#response = response
    // A further request on this connection could never be answered.
    response.socket?.once('data', () => response.destroy())
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { ...headers, ...HEADERS })
    // Bytes, because with a text Node keeps the head in seventy pieces, 1 kB for each viewer.
    response.write(first)
  }

  /**
   * Sends an event, or skips it while too much is unsent.
   *
   * @param everything - Sent instead to a viewer who has skipped some.
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
   * Ends the stream of a viewer who has fallen behind; keeps proxies from closing a quiet one.
   *
   * @param quiet - Nothing was sent since the last ping.
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
