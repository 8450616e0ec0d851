import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Ends a head, and a body in chunks, with its trailers or without. */
const EMPTY_LINE = Buffer.from('\r\n\r\n')
/** "GET / HTTP/1.1": what ends earlier is an empty line, of which a flood is not to be taken one by one. */
const SHORTEST_HEAD = 14
/** Bytes of a body in chunks that are parsed in one go: in so many may be 700 chunks, 4 µs each. */
const MAX_CHUNK_BYTES = 4_096
const NOTHING = Buffer.alloc(0)

/** Of the connections on which more requests wait, so many have their next one served before everybody else is looked at. */
const RELEASED_AT_ONCE = 8

/** Takes what is to be parsed. */
type Parse = (bytes: Buffer) => void

/** What is under way on one connection. */
class Pipeline {
  readonly #socket: Socket
  readonly #parse: Parse
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** Bytes of the latest request's body that are yet to come, where it states a length. */
  #body = 0
  /** The last bytes of an unfinished head, or body in chunks, in which its end may have begun. */
  #tail = NOTHING
  #held = false

  constructor(socket: Socket, parse: Parse) {
    this.#socket = socket
    this.#parse = parse
  }

  /** True where anything that is written now would become a part of an answer, or a second one. */
  get isAnswering(): boolean {
    if (!this.#response?.headersSent) return false
    return !(this.#response.writableFinished && this.#request?.complete)
  }

  /** True from the end of a request to the end of its answer. */
  get #isBusy(): boolean {
    return this.#request?.complete === true && this.#response?.writableFinished === false
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request
    this.#response = response
    this.#body = Number(request.headers['content-length'] ?? 0)
  }

  /** Has one piece of what has arrived parsed, and a body that states its length with its head; the rest waits in the socket. */
  take(bytes: Buffer): void {
    if (this.#isBusy || this.#held) return void this.#hold(bytes)
    let rest = bytes
    do {
      const length = this.#nextPiece(rest)
      this.#parse(length < rest.length ? rest.subarray(0, length) : rest)
      rest = rest.subarray(length)
    } while (rest.length > 0 && this.#body > 0 && this.#socket.writable && !this.#socket.isPaused())
    if (rest.length > 0 && this.#socket.writable) this.#hold(rest)
  }

  /** How much may be parsed at once: no more than the rest of a body that states its length, or up to an empty line. */
  #nextPiece(bytes: Buffer): number {
    const inBody = this.#request?.complete === false
    if (inBody && this.#body > 0) {
      const length = Math.min(this.#body, bytes.length)
      this.#body -= length
      return length
    }
    const tail = this.#tail
    const few = inBody ? bytes.subarray(0, MAX_CHUNK_BYTES) : bytes
    const piece = tail.length > 0 ? Buffer.concat([tail, few]) : few
    const end = piece.indexOf(EMPTY_LINE, inBody || tail.length > 0 ? 0 : SHORTEST_HEAD)
    this.#tail = end < 0 ? Buffer.from(piece.subarray(1 - EMPTY_LINE.length)) : NOTHING
    return end < 0 ? few.length : end + EMPTY_LINE.length - tail.length
  }

  #hold(rest: Buffer): void {
    // Node pauses by itself where answers or a body are not taken, and resumes then.
    const isPaused = this.#socket.isPaused()
    this.#socket.pause()
    this.#socket.unshift(rest)
    if (this.#held || (isPaused && !this.#isBusy)) return
    this.#held = true
    if (this.#isBusy) this.#response?.once('close', () => queue(this))
    else queue(this)
  }

  release(): void {
    this.#held = false
    if (!this.#socket.destroyed) this.#socket.resume()
  }
}

/** Connections whose next request has arrived before its turn; at most as many as are open. */
let waiting: Pipeline[] = []

/** Everybody else has a turn before the next requests of those who did not wait, and these have theirs one by one. */
function queue(pipeline: Pipeline): void {
  waiting.push(pipeline)
  if (waiting.length === 1) setImmediate(releaseSome)
}

function releaseSome(): void {
  const released = waiting.slice(0, RELEASED_AT_ONCE)
  waiting = waiting.slice(RELEASED_AT_ONCE)
  if (waiting.length > 0) setImmediate(releaseSome)
  for (const pipeline of released) pipeline.release()
}

const pipelines = new WeakMap<Socket, Pipeline>()

/**
 * Reads one request of a connection at a time: the next one is parsed when the answer is out. Node would parse all that has
 * arrived, 2,000 requests in 64 KB, serve them at once and keep their answers, while everybody else waits. No browser sends
 * a request before the last one is answered, and no proxy passes that on.
 */
export function readInTurn(server: Server): void {
  // Node would forget headers beyond the thousandth, also one that states a length; a head has 16 KB at most.
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data')
    if (!parse) return
    const pipeline = new Pipeline(socket, parse as Parse)
    pipelines.set(socket, pipeline)
    // Node reads past any listener until there is one of somebody else.
    socket.removeListener('data', parse as Parse)
    socket.on('data', bytes => pipeline.take(bytes))
  })
  const begin = (request: IncomingMessage, response: ServerResponse) =>
    pipelines.get(request.socket)?.begin(request, response)
  server.prependListener('request', begin)
  server.prependListener('checkExpectation', begin)
}

/** True where anything that is written now would become a part of an answer, or a second one. */
export function isAnswering(socket: Socket): boolean {
  return pipelines.get(socket)?.isAnswering ?? false
}
