// Sockets and nothing else: follows the live stream of a server of the game at ORIGIN, as one viewer, and writes each
// piece to all of its own as it came. No server written for Node can tell as many in less time.

import { createServer, type Socket } from 'node:net'

const { ORIGIN = '' } = process.env
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'

const viewers = new Set<Socket>()

const server = createServer({ noDelay: true }, socket => {
  socket.once('data', () => {
    socket.write(HEAD)
    viewers.add(socket)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => viewers.delete(socket))
})

async function relay(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) for (const viewer of viewers) viewer.write(piece)
}

const { body } = await fetch(`${ORIGIN}/api/live`)
if (!body) throw new Error('There is no stream to follow')
relay(body).catch((error: Error) => {
  // The game's server goes first when all is over.
  console.error(error.message)
  process.exit(1)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`node:net is ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('SIGTERM', () => process.exit(0))
