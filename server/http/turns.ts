import type { Socket } from 'node:net'

/**
 * How long what has arrived is served before timers, the database's answers and everybody who waits get a turn, ms. With
 * 10 there were 0.82 times as many rounds of 512 players: their batches became small. With 50 there are as many as ever.
 */
const TURN_MS = 50

/**
 * Bounds what a turn of the event loop does for connections that have sent something: those that come too late in it are
 * not read on, and come first in the next one. While more than 1,024 connections send at once, libuv looks up to 48 times
 * for more before it runs a timer (`uv__io_poll`): six addresses with 320 connections each kept everybody waiting for 5 s,
 * which counts as an outage of the database.
 *
 * @returns a function that serves what a connection has sent, now or in its turn
 */
export function takeTurns(): (socket: Socket, serve: () => void) => void {
  const waiting: [socket: Socket, serve: () => void][] = []
  /** When the time of this turn is over: monotonic, ms; null between turns. */
  let until: number | null = null

  function goOn(): void {
    until = performance.now() + TURN_MS
    do {
      const [socket, serve] = waiting.shift() ?? []
      socket?.resume()
      serve?.()
    } while (waiting.length > 0 && performance.now() < until)
    if (waiting.length > 0) setImmediate(goOn)
    else until = null
  }

  return (socket, serve) => {
    if (until === null) {
      until = performance.now() + TURN_MS
      setImmediate(goOn)
    }
    if (waiting.length === 0 && performance.now() < until) return serve()
    socket.pause()
    waiting.push([socket, serve])
  }
}
