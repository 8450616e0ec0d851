import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a server close as soon as its last answer is out. Fastify, as Node, closes the connections that are idle; it
 * would wait for those that were opened in advance, as browsers do, until they time out, and for those whose answer
 * was under way, which it would keep for later.
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
