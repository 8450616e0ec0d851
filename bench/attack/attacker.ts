// One client far beyond its limits, in a process of its own.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveJobs } from '../helper.ts'

/** The pause before an ended connection is opened again. */
const REOPEN_MS = 10
const OPENED_AT_ONCE = 100
const ANSWER = 'HTTP/1.1 '

/** What the attacker sends on each of its connections, again and again. */
export interface Attack {
  readonly url: string
  /** Any address of 127.0.0.0/8: Linux has all of them. */
  readonly from: string
  readonly connections: number
  /** One request or several, as bytes. */
  readonly request: string
  /** How many answers they get when all are served. */
  readonly answers: number
  readonly seconds: number
}

/** The answers by status, and the connections that were ended or refused. */
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

/** One connection: sends the next requests when the last ones have been answered. */
function attackOn({ url, from, request, answers }: Attack, answered: (status: string) => void): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true })
  let waiting = answers
  socket.setEncoding('latin1')
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.write(request))
  socket.on('data', (text: string) => {
    for (let at = text.indexOf(ANSWER); at >= 0; at = text.indexOf(ANSWER, at + 1)) {
      answered(text.slice(at + ANSWER.length, at + ANSWER.length + 3))
      waiting -= 1
    }
    if (waiting > 0) return
    waiting = answers
    socket.write(request)
  })
  return socket
}
