import type { Socket } from 'node:net'

/**
 * How long what has arrived is served before timers, the database's answers and everybody who waits get a turn, ms; the
 * first turn of an overload takes twice that. 10 ms cost 18 % of the rounds of 512 players, because their batches became
 * small; 50 cost nothing.
 */
const TURN_MS = 50

/** More than any request has, 16 KB of head and 8 KB of body: what waits is held in memory. */
const MAX_WAITING_BYTES = 32 * 1_024

type Feed = (bytes: Buffer) => void

/**
 * Bounds what a turn of the event loop does for connections that have sent something: what comes too late in it waits, and
 * comes first in the next one. While more than 1,024 connections send at once, libuv looks up to 48 times for more before it
 * runs a timer (`uv__io_poll`): six addresses with 320 connections each kept everybody waiting for 5 s, which counts as an
 * outage of the database.
 *
 * @returns a function that feeds what a connection has sent to its parser, now or in its turn
 */
export function takeTurns(): (socket: Socket, bytes: Buffer, feed: Feed) => void {
  const waiting: { socket: Socket; bytes: Buffer; feed: Feed }[] = []
  /** How many bytes of a connection wait. */
  const sizes = new WeakMap<Socket, number>()
  /** When the time of this turn is over: monotonic, ms; null between turns. */
  let until: number | null = null

  const sizeOf = (socket: Socket) => sizes.get(socket) ?? 0

  function goOn(): void {
    until = performance.now() + TURN_MS
    while (waiting.length > 0 && performance.now() < until) feedNext()
    if (waiting.length > 0) setImmediate(goOn)
    else until = null
  }

  function feedNext(): void {
    const next = waiting.shift()
    if (!next) return
    const { socket, bytes, feed } = next
    sizes.set(socket, sizeOf(socket) - bytes.length)
    feed(bytes)
  }

  return (socket, bytes, feed) => {
    if (until === null) {
      until = performance.now() + TURN_MS
      setImmediate(goOn)
    }
    if (waiting.length === 0 && performance.now() < until) return feed(bytes)
    const size = sizeOf(socket) + bytes.length
    // Not paused instead: Node would go on reading, up to 128 KB, into a buffer of its own.
    if (size > MAX_WAITING_BYTES) return void socket.destroy()
    sizes.set(socket, size)
    waiting.push({ socket, bytes, feed })
  }
}
