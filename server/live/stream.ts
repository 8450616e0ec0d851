import type { OutgoingHttpHeader, ServerResponse } from 'node:http'

/** The most unsent bytes before a viewer's stream skips events. */
const MAX_UNSENT_BYTES = 64 * 1_024

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
   * @param headers - The headers that every answer has.
   * @param first - The current events of all parts.
   */
  constructor(response: ServerResponse, headers: AnswerHeaders, first: Buffer) {
    this.#response = response
    // Closes the connection at a further request, which cannot be answered.
    response.socket?.once('data', () => response.destroy())
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { ...headers, ...HEADERS })
    // Writes bytes, because with a string Node would keep 1 kB of headers per viewer.
    response.write(first)
  }

  /**
   * Sends events, or skips them while too many bytes are unsent.
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

  /** Ends the stream of a viewer who cannot keep up. Otherwise sends a ping. */
  ping(bytes: Buffer, everything: Buffer): void {
    const { socket } = this.#response
    const isStalled = (socket?.writableLength ?? 0) > MAX_UNSENT_BYTES
    if (this.#behind && isStalled) this.#response.destroy()
    else this.send(bytes, everything)
  }

  end(): void {
    const { socket } = this.#response
    this.#response.end()
    // Closes a stalled viewer's connection, which would otherwise stay open.
    if (socket && socket.writableLength > 0) this.#response.destroy()
  }
}
