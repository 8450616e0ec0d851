// One client far beyond its limits, in a process of its own.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveJobs } from '../helper.ts'

/** Before an ended connection is opened anew: as fast as the attacker's own share of the machine allows it to matter. */
const REOPEN_MS = 10
const OPENED_AT_ONCE = 100
const ANSWER = 'HTTP/1.1 '

/** What the attacker does on each of its connections, again and again: sends so many requests, takes the answers. */
export interface Attack {
  readonly url: string
  /** One of the addresses 127.0.0.0/8, which Linux all has. */
  readonly from: string
  readonly connections: number
  /** Requests sent one behind the other before any answer. */
  readonly pipelined: number
  readonly path: string
  /** Of each request: a body of so many chunks of one byte. */
  readonly chunks?: number
  readonly seconds: number
}

/** What came of it: answers by their status, and connections that were ended or refused. */
export interface Outcome {
  readonly statuses: Readonly<Record<string, number>>
  readonly ended: number
}

serveJobs<Attack, Outcome>(async attack => {
  const statuses: Record<string, number> = {}
  const open = new Set<Socket>()
  let ended = 0
  let over = false
  const run = () => {
    const socket = attackOn(attack, status => {
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      if (over) return
      ended += 1
      setTimeout(() => over || run(), REOPEN_MS)
    })
  }
  const end = performance.now() + attack.seconds * 1_000
  for (let n = 0; n < attack.connections; n += 1) {
    run()
    if (n % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await sleep(1)
  }
  await sleep(end - performance.now())
  over = true
  for (const socket of open) socket.destroy()
  return { statuses, ended }
})

/** One connection: the next requests are sent when the last ones have been answered. */
function attackOn(
  { url, from, pipelined, path, chunks = 0 }: Attack,
  answered: (status: string) => void,
): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true })
  const body = `transfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(chunks)}0\r\n`
  const head = `${chunks > 0 ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nhost: ${host}\r\n`
  const requests = `${head}${chunks > 0 ? body : ''}\r\n`.repeat(pipelined)
  let waiting = pipelined
  socket.setEncoding('latin1')
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.write(requests))
  socket.on('data', (text: string) => {
    for (let at = text.indexOf(ANSWER); at >= 0; at = text.indexOf(ANSWER, at + 1)) {
      answered(text.slice(at + ANSWER.length, at + ANSWER.length + 3))
      waiting -= 1
    }
    if (waiting > 0) return
    waiting = pipelined
    socket.write(requests)
  })
  return socket
}
