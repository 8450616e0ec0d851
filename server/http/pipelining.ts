import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Bytes that are parsed in one go: in so many are 30 requests, or 170 chunks of one byte, half a millisecond of work. */
const SLICE_BYTES = 1_024

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The last answer of each connection. */
const answers = new WeakMap<Socket, ServerResponse>()

/** True while an answer is under way: whatever is written now would become a part of it. */
export function isAnswering(socket: Socket): boolean {
  return answers.get(socket)?.writableFinished === false
}

/**
 * Ends a connection on which a request arrives before the last one is answered, or a body in chunks. No browser sends such
 * requests, and no proxy passes them on. Node would parse all that has arrived, 2,000 requests in 64 KB, and serve them at
 * once, or chunk after chunk of one byte, while everybody else waits. To be called last: it comes before all else.
 *
 * @param refuse answers what cannot be served, and ends its connection
 */
export function endPipelines(app: FastifyInstance, refuse: (error: Error, socket: Socket) => void): void {
  const { server } = app
  // Node would forget headers beyond the thousandth, also one that speaks of chunks; a head has 16 KB at most.
  server.maxHeadersCount = 0
  server.on('connection', parseInSlices)
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

/** Has the parser stop where the connection was ended by what it found. */
function parseInSlices(socket: Socket): void {
  const [parse] = socket.listeners('data')
  if (!parse) return
  // Node reads past any listener until there is one of somebody else.
  socket.removeListener('data', parse as (bytes: Buffer) => void)
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length && socket.writable; at += SLICE_BYTES) {
      parse(bytes.subarray(at, at + SLICE_BYTES))
    }
  })
}
