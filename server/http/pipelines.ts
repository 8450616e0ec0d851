import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Requests that wait behind others of their connection. No browser sends any and no proxy passes them on; each takes
 * memory for as long as the answers before it are not taken.
 */
const MAX_WAITING = 100

/** What is under way on one connection. */
interface Pipeline {
  latest: ServerResponse
  waiting: number
}

const pipelines = new WeakMap<Socket, Pipeline>()

/**
 * Serves the requests of one connection one after the other. Node would have all of them served at once, and tells
 * only the answer whose turn it is when the connection ends: what the others hold, an open file, they would hold for
 * good. Register before every other hook.
 */
export function serveInTurn(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const pipeline = pipelines.get(socket)
    if (!pipeline) {
      pipelines.set(socket, { latest: response, waiting: 0 })
      return done()
    }
    const before = pipeline.latest
    pipeline.latest = response
    if (before.writableFinished) return done()
    pipeline.waiting += 1
    if (pipeline.waiting > MAX_WAITING) socket.destroy()
    before.once('close', () => {
      pipeline.waiting -= 1
      if (!socket.destroyed) done()
    })
  })
}

/** True where anything that is written now would become a part of an answer, or come before its turn. */
export function isAnswering(socket: Socket): boolean {
  const pipeline = pipelines.get(socket)
  if (!pipeline) return false
  const { latest, waiting } = pipeline
  return waiting > 0 || (latest.headersSent && !(latest.writableFinished && latest.req.complete))
}
