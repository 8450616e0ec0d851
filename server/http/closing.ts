import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Longer than a statement may take, and short enough to stop the database in order afterwards. */
const LAST_ANSWERS_MS = 5_000

/**
 * Lets the server close as soon as its last answer is sent. Node closes idle connections only: it would wait for those
 * that browsers open in advance and for those that have sent half a request, and keep alive those whose answer was under way.
 */
export function closeConnectionsOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>()
  let closing = false
  app.server.on('connection', socket => {
    if (closing) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS).unref()
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}
