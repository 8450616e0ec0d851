import type { Socket } from 'node:net'

/**
 * How long what has arrived is served before timers, the database's answers and everybody who waits get a turn, ms. With
 * 10 there were 0.82 times as many rounds of 512 players: their batches became small. With 50 there are as many as ever.
 */
const TURN_MS = 50

/** More than any request has: 16 KB of head and 8 KB of body. 6,400 connections that sent 64 KB each held 1.4 GB. */
const MAX_WAITING_BYTES = 32 * 1_024

type Feed = (bytes: Buffer) => void

/**
 * Bounds what a turn of the event loop does for connections that have sent something: those that come too late in it are
 * not read on, and come first in the next one. While more than 1,024 connections send at once, libuv looks up to 48 times
 * for more before it runs a timer (`uv__io_poll`): six addresses with 320 connections each kept everybody waiting for 5 s,
 * which counts as an outage of the database.
 *
 * @returns a function that feeds what a connection has sent to its parser, now or in its turn
 */
export function takeTurns(): (socket: Socket, bytes: Buffer, feed: Feed) => void {
  const waiting: { socket: Socket; bytes: Buffer; feed: Feed }[] = []
  /** When the time of this turn is over: monotonic, ms; null between turns. */
  let until: number | null = null

  function goOn(): void {
    until = performance.now() + TURN_MS
    while (waiting.length > 0 && performance.now() < until) {
      const next = waiting.shift()
      next?.socket.resume()
      next?.feed(next.bytes)
    }
    if (waiting.length > 0) setImmediate(goOn)
    else until = null
  }

  return (socket, bytes, feed) => {
    if (until === null) {
      until = performance.now() + TURN_MS
      setImmediate(goOn)
    }
    if (waiting.length === 0 && performance.now() < until) return feed(bytes)
    if (bytes.length > MAX_WAITING_BYTES) return void socket.destroy()
    socket.pause()
    waiting.push({ socket, bytes, feed })
  }
}
