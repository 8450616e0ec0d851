// Socket.IO's way of telling everybody: it follows the live stream of a server of the game at ORIGIN, as one viewer,
// and sends each piece on to all of its own.

import { createServer } from 'node:http'
import { Server } from 'socket.io'

const { ORIGIN = '' } = process.env
const BLOCK_END = '\n\n'

const http = createServer()
const io = new Server(http, { transports: ['websocket'], serveClient: false })

/** @param {ReadableStream<Uint8Array>} stream */
async function relay(stream) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const end = text.lastIndexOf(BLOCK_END)
    if (end < 0) continue
    io.emit('live', text.slice(0, end + BLOCK_END.length))
    text = text.slice(end + BLOCK_END.length)
  }
}

const { body } = await fetch(`${ORIGIN}/api/live`)
if (!body) throw new Error('There is no stream to follow')
relay(body).catch(error => {
  // The game's server goes first when all is over.
  console.error(error.message)
  process.exit(1)
})
http.listen(0, '127.0.0.1', () => {
  console.log(`socket.io is ready at http://127.0.0.1:${http.address()?.port}`)
})
process.on('SIGTERM', () => process.exit(0))
