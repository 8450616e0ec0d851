import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nextTick } from 'node:process'
import type { FastifyInstance } from 'fastify'
import { addressKey, sharesOf } from '../limits/address.ts'
import { clientAddress } from '../limits/networks.ts'
import { takeTurns } from './turns.ts'

/** Bytes parsed at a time: at most 30 requests or 170 one-byte chunks, half a millisecond of work. */
const SLICE_BYTES = 1_024

/**
 * As many as Apache takes; browsers and the proxies before us send forty. Node's limit of 16 KB counts names and values
 * alone: 16,000 headers without any took 5 ms and 0.9 MB.
 */
const MAX_HEADERS = 100
/** No path of ours has a hundred, and no call takes a query; 5,000 times `../` takes the files of the API's page 10 ms. */
const MAX_URL_CHARS = 2_000

/** What a connection may send before the next request begins: 16 KB of head and 8 KB of body, and some to spare. */
const MAX_SENT_BYTES = 32 * 1_024
/**
 * As how much a piece counts at least, so that a request comes in 32 of them: to read one byte takes the system as long. While
 * ten addresses sent heads in 57 pieces newcomers waited for 4 s, in 31 for 0.3 s.
 */
const PIECE_BYTES = 1_000

type Handler = (request: IncomingMessage, response: ServerResponse) => void
/** Refuses what is no request, and ends its connection. */
type Refuse = (error: Error, socket: Socket) => void

/** The connections with an answer under way, until all of it is written and Node has done with it: the network it goes to. */
const answering = new WeakMap<Socket, string>()

/** How many bytes a connection has sent since its last request began. */
const sent = new WeakMap<Socket, number>()

/** True while an answer is under way: anything written now would become part of it. */
export function isAnswering(socket: Socket): boolean {
  return answering.has(socket)
}

/**
 * Ends a connection that sends a request before the last one is answered, a body in chunks, more than a hundred headers, or
 * a URL of over 2,000 characters. No browser does. Node would parse and serve all that has arrived at once, 2,000
 * requests in 64 KB or one-byte chunks, while everybody else waits. Call it last, so that it runs first.
 */
export function endPipelines(app: FastifyInstance, trustProxy: readonly string[] | false): void {
  const { server } = app
  // Node drops further ones, perhaps Transfer-Encoding: one too many tells that there were.
  server.maxHeadersCount = MAX_HEADERS + 1
  const addressOf = clientAddress(trustProxy || [])
  const inTurn = takeTurns(server)
  // Counted and answered like what Node refuses.
  const refuse: Refuse = (error, socket) => void server.emit('clientError', error, socket)
  server.on('connection', socket => parseInSlices(socket, inTurn, refuse))
  // Node would answer an unknown `Expect` past everything here, and throw when more of them arrive than are read.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const [handle = app.routing] = server.listeners('request') as Handler[]
  server.removeListener('request', handle)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, url = '', headers, rawHeaders } = request
    sent.delete(socket)
    // Also behind one that was refused: the rest of the slice is parsed all the same, and a stream that began now would never
    // be written to, nor end.
    if (isAnswering(socket) || !socket.writable) return void socket.destroy()
    if (rawHeaders.length > 2 * MAX_HEADERS || url.length > MAX_URL_CHARS) {
      return refuse(new HeadTooLarge(), socket)
    }
    if (headers['transfer-encoding'] !== undefined) return refuse(new Error('a body in chunks'), socket)
    if (Number(headers['content-length']) > 0) endUnlessComplete(request, response)
    const [network] = sharesOf(addressKey(addressOf(request)))
    answering.set(socket, network.key)
    response.once('close', () => answering.delete(socket))
    const serve = () => {
      if (socket.writable) handle(request, response)
    }
    // The visitor's, not the connection's, which may be a proxy's. Once the body that has come with the head is parsed as well.
    nextTick(() => inTurn(network.key, serve))
  })
}

/**
 * Ends the connection with an answer that goes before all of the body has come. HAProxy 2.6 keeps such a connection for the
 * next request when a visitor gives up in the midst of a body: that request, perhaps of somebody else, would be taken for
 * the rest, and what stands in it for a request that says what only the proxy may say.
 */
function endUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false
    return writeHead(...head)
  }
}

/** An error that is answered like Node's own limit on heads. */
class HeadTooLarge extends Error {
  readonly code = 'HPE_HEADER_OVERFLOW'
}

/**
 * Feeds the parser in slices, and stops when what it found has ended the connection. Blank lines, and a body that is sent
 * while the boards go out live, are no request to Node, and would be taken without end.
 */
function parseInSlices(socket: Socket, inTurn: ReturnType<typeof takeTurns>, refuse: Refuse): void {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
  if (!parse) return
  const pieces: Buffer[] = []
  const feed = () => {
    for (const bytes of pieces.splice(0)) {
      for (let at = 0; at < bytes.length && socket.writable; at += SLICE_BYTES) {
        parse(bytes.subarray(at, at + SLICE_BYTES))
      }
    }
  }
  // Node hands bytes to its parser past all listeners, unless there is one that it did not add itself.
  socket.removeListener('data', parse)
  socket.on('data', bytes => {
    const size = (sent.get(socket) ?? 0) + Math.max(bytes.length, PIECE_BYTES)
    sent.set(socket, size)
    if (size > MAX_SENT_BYTES) return refuse(new Error('more than a request'), socket)
    pieces.push(bytes)
    const network = answering.get(socket)
    // A head costs little to parse, and says whose it is; a body that has come is parsed as JSON, too.
    if (network === undefined) feed()
    else inTurn(network, feed)
  })
}
