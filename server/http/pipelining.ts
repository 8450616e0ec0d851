import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Bytes parsed at a time: at most 30 requests or 170 one-byte chunks, half a millisecond of work. */
const SLICE_BYTES = 1_024

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The last answer of each connection. */
const answers = new WeakMap<Socket, ServerResponse>()

/** True while an answer is under way: anything written now would become part of it. */
export function isAnswering(socket: Socket): boolean {
  return answers.get(socket)?.writableFinished === false
}

/**
 * Ends a connection that sends a request before the last one is answered, or a body in chunks. No browser does, and no
 * proxy passes them on. Node would parse and serve all that has arrived at once, 2,000 requests in 64 KB or one-byte
 * chunks, while everybody else waits. Call it last, so that it runs first.
 *
 * @param refuse answers a request that cannot be served, and ends its connection
 */
export function endPipelines(app: FastifyInstance, refuse: (error: Error, socket: Socket) => void): void {
  const { server } = app
  // By default Node drops headers beyond the thousandth, perhaps Transfer-Encoding; the head is limited to 16 KB anyway.
  server.maxHeadersCount = 0
  server.on('connection', parseInSlices)
  // Node would answer an unknown `Expect` past everything here, and throw when more of them arrive than are read.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const [handle = app.routing] = server.listeners('request') as Handler[]
  server.removeListener('request', handle)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request
    if (isAnswering(socket)) return void socket.destroy()
    if (headers['transfer-encoding'] !== undefined) return refuse(new Error('a body in chunks'), socket)
    answers.set(socket, response)
    handle(request, response)
  })
}

/** Feeds the parser in slices, and stops when what it found has ended the connection. */
function parseInSlices(socket: Socket): void {
  const [parse] = socket.listeners('data')
  if (!parse) return
  // Node hands bytes to its parser past all listeners, unless there is one that it did not add itself.
  socket.removeListener('data', parse as (bytes: Buffer) => void)
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length && socket.writable; at += SLICE_BYTES) {
      parse(bytes.subarray(at, at + SLICE_BYTES))
    }
  })
}
