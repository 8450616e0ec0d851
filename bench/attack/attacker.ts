// One client far beyond its limits, in a process of its own.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveJobs } from '../helper.ts'

/** The pause before an ended connection is opened again. */
const REOPEN_MS = 10
const OPENED_AT_ONCE = 100
const ANSWER = 'HTTP/1.1 '

/** What the attacker sends on each of its connections, again and again, until its process is ended. */
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

/** How many answers had each status after these seconds, and how many connections were `ended` or refused. */
export type Outcome = Readonly<Record<string, number>>

serveJobs<Attack, Outcome>(async attack => {
  const outcome: Record<string, number> = {}
  const count = (what: string) => {
    outcome[what] = (outcome[what] ?? 0) + 1
  }
  const run = () => {
    attackOn(attack, count).once('close', () => {
      count('ended')
      setTimeout(run, REOPEN_MS)
    })
  }
  const end = performance.now() + attack.seconds * 1_000
  for (let n = 0; n < attack.connections; n += 1) {
    run()
    if (n % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await sleep(1)
  }
  await sleep(end - performance.now())
  return outcome
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
