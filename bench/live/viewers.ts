// Runs the viewers in a separate process.

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSocket } from '../../tests/support/wire.ts'
import { serveJobs } from '../helper.ts'
import { type EventFigures, Listener } from './listener.ts'

export type { EventFigures }

/** A job that opens or closes streams until there are `viewers` streams, then listens for `seconds`. */
export interface ViewersJob {
  readonly url: string
  readonly viewers: number
  readonly seconds: number
}

const EVENTS = 'GET /api/live HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n'

/** The number of streams that are opened simultaneously. */
const BATCH = 100

let listener = new Listener(0)
const sockets: Socket[] = []
let lost = 0

serveJobs<ViewersJob, EventFigures>(async ({ url, viewers, seconds }) => {
  await open(url, viewers)
  listener = new Listener(viewers)
  await sleep(seconds * 1_000)
  if (lost > 0) throw new Error(`The server closed the streams of ${lost} viewers`)
  return listener.sum()
})

async function open(url: string, viewers: number): Promise<void> {
  for (const socket of sockets.splice(viewers)) socket.removeAllListeners('close').destroy()
  while (sockets.length < viewers) {
    const from = sockets.length
    const count = Math.min(BATCH, viewers - from)
    const opened = Array.from({ length: count }, (_, place) => openOne(url, from + place))
    sockets.push(...(await Promise.all(opened)))
  }
}

async function openOne(url: string, viewer: number): Promise<Socket> {
  const socket = await openSocket(url)
  socket.write(EVENTS)
  await once(socket, 'data')
  socket.on('data', (bytes: Buffer) => listener.record(viewer, bytes))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    lost += 1
  })
  return socket
}
