import type { EventEmitter } from 'node:events'
import { nextTick } from 'node:process'

/**
 * How long what has arrived is served before timers, the database's answers and everybody who waits get a turn, ms; the
 * first turn of an overload takes twice that. A third of it cost 18 % of the rounds of 512 players, because their batches
 * became small; this cost nothing.
 */
const TURN_MS = 150
/**
 * The same after a new connection, ms. Node accepts one a turn: others that waited to be accepted did so for 15 s and more
 * while ten addresses kept the server busy.
 */
const NEWCOMER_TURN_MS = 10

/**
 * Bounds what a turn of the event loop does for connections that have sent something: what comes too late in it waits, and
 * comes first in the next one. While more than 1,024 connections send at once, libuv looks up to 48 times for more before it
 * runs a timer (`uv__io_poll`): six addresses with 320 connections each kept everybody waiting for 5 s, which counts as an
 * outage of the database. They are read on meanwhile: a paused one Node would read on as well, into a buffer of its own.
 *
 * @param server emits `connection` for each that is accepted
 * @returns a function that calls what it is given, now or in its turn; the same function waits once, however often it is
 *   given, so that as many wait as there are connections: a million one-byte pieces kept everybody waiting for a minute
 */
export function takeTurns(server: EventEmitter): (serve: () => void) => void {
  const waiting = new Set<() => void>()
  /** When the time of this turn is over: monotonic, ms; null between turns. */
  let until: number | null = null
  let hasNewcomer = false
  server.on('connection', () => {
    hasNewcomer = true
  })

  async function goOn(): Promise<void> {
    until = performance.now() + (hasNewcomer ? NEWCOMER_TURN_MS : TURN_MS)
    hasNewcomer = false
    for (const serve of waiting) {
      if (performance.now() >= until) break
      waiting.delete(serve)
      serve()
      // What follows from it counts as well: of 600 bodies that take 1.3 ms each, all would follow at the end of the turn.
      await new Promise(nextTick)
    }
    if (waiting.size > 0) setImmediate(goOn)
    else until = null
  }

  return serve => {
    if (until === null) {
      until = performance.now() + TURN_MS
      setImmediate(goOn)
    }
    if (waiting.size === 0 && performance.now() < until) serve()
    else waiting.add(serve)
  }
}
