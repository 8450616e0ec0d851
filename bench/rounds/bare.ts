// `node:http` and nothing else: answers the bytes that a server of the game at ORIGIN answered, and reads no request
// further than its body goes. No server written for Node can be faster.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, Client } from '../../tests/support/client.ts'

/** What Node itself adds to every answer. */
const OWN_HEADERS = new Set(['connection', 'date', 'keep-alive'])
const KEEP_ALIVE_MS = 75_000
/** Far off the target: no prize is in the answer. */
const MISS_MS = 1_500

interface Canned {
  readonly status: number
  readonly headers: [string, string][]
  readonly body: Buffer
}

function can({ status, headers, body }: Answer<unknown>): Canned {
  const kept = [...headers].filter(([name]) => !OWN_HEADERS.has(name))
  return { status, headers: kept, body: Buffer.from(JSON.stringify(body)) }
}

const { ORIGIN = '' } = process.env
const player = new Client(ORIGIN)
const session = await player.get<{ round: { token: string; target_time: number } }>('/api/session')
const { round } = session.body
const started = await player.post<{ start: string }>('/api/rounds', { round: round.token })
const stopped = await player.post('/api/attempts', {
  start: started.body.start,
  username: 'Player 1 1',
  actual_time: (Math.round(round.target_time * 1_000) + MISS_MS) / 1_000,
})

const answers = new Map([
  ['/api/session', can(session)],
  ['/api/rounds', can(started)],
  ['/api/attempts', can(stopped)],
])

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (!answer) throw new Error(`There is no answer to ${request.url}`)
  request.on('end', () => {
    response.writeHead(answer.status, answer.headers.flat())
    response.end(answer.body)
  })
  request.resume()
})
server.keepAliveTimeout = KEEP_ALIVE_MS
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`node:http is ready at http://127.0.0.1:${port}`)
})
process.on('SIGTERM', () => process.exit(0))
