import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets a server close as soon as its last answer is out. Node itself would wait for connections that were opened
 * in advance, as browsers do, and for those whose answer was under way, which it would keep for later.
 */
export function letGoOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>()
  let closing = false

  app.server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
  app.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
