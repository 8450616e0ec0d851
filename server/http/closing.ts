import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets the server close as soon as its last answer is sent. Node closes idle connections only: it would wait for those
 * that browsers open in advance, and keep alive those whose answer was under way.
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
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}
