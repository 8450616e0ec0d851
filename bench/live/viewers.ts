// The process of the viewers: does one job after the other and answers with its result.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveJobs } from '../helper.ts'
import { type Heard, Listener } from './listener.ts'

/** The jobs of the viewers. */
export type Job = { act: 'open'; url: string; viewers: number } | { act: 'watch'; seconds: number }

const EVENTS = 'GET /api/live HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n'

/** How many connections are opened at the same time: a crowd does not arrive in one instant. */
const AT_ONCE = 100

let listener = new Listener(0)
const sockets: Socket[] = []
let lost = 0

async function open(url: string, viewers: number): Promise<void> {
  listener = new Listener(viewers)
  while (sockets.length < viewers) {
    const from = sockets.length
    const count = Math.min(AT_ONCE, viewers - from)
    const opened = Array.from({ length: count }, (_, place) => openOne(url, from + place))
    sockets.push(...(await Promise.all(opened)))
  }
}

/** Resolves when the first bytes have arrived. */
async function openOne(url: string, viewer: number): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  socket.write(EVENTS)
  await once(socket, 'data')
  socket.on('data', (bytes: Buffer) => listener.hear(viewer, bytes))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    lost += 1
  })
  return socket
}

async function watch(seconds: number): Promise<Heard> {
  listener.begin()
  await sleep(seconds * 1_000)
  if (lost > 0) throw new Error(`${lost} viewers were sent away`)
  return listener.sum()
}

async function work(job: Job): Promise<Heard | null> {
  if (job.act === 'watch') return watch(job.seconds)
  await open(job.url, job.viewers)
  return null
}

serveJobs(work)
