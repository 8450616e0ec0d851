import type { EventEmitter } from 'node:events'
import { nextTick } from 'node:process'

/**
 * How long what has arrived is served before timers, the database's answers and everybody who waits get a turn, ms; the
 * first turn of an overload takes twice that. A third of it cost 18 % of the rounds of 512 players, because their batches
 * became small; this cost nothing.
 */
const TURN_MS = 150
/**
 * The same after new connections, ms, and how many of those are accepted first. Node accepts one each time it looks: with one
 * a turn, others waited for 15 s and more to be accepted while ten addresses kept the server busy; with twenty, 3 s behind a
 * proxy, which opens a connection for every request of a flood.
 */
const NEWCOMER_TURN_MS = 10
const MAX_NEWCOMERS = 100

/**
 * Bounds what a turn of the event loop does for requests and their bodies: what comes too late in it waits, and comes first
 * in the next one, one of each network in turn. While more than 1,024 connections send at once, libuv looks up to 48 times
 * for more before it runs a timer (`uv__io_poll`): six addresses with 320 connections each kept everybody waiting for 5 s,
 * which counts as an outage of the database. They are read on meanwhile: a paused one Node would read on as well, into a
 * buffer of its own.
 *
 * @param server emits `connection` for each that is accepted
 * @returns a function that serves something for a network, now or in its turn; the same function waits once, however often
 *   it is given: a million one-byte pieces kept everybody waiting for a minute
 */
export function takeTurns(server: EventEmitter): (network: string, serve: () => void) => void {
  /** What waits, by network; the one whose turn is next comes first. */
  const waiting = new Map<string, Set<() => void>>()
  /** When the time of this turn is over: monotonic, ms; null between turns. */
  let until: number | null = null
  /** Accepted since the last turn, and how many of those when Node last looked. */
  let newcomers = 0
  let known = 0
  server.on('connection', () => {
    newcomers += 1
  })

  function endOfTurn(): number {
    const length = newcomers > 0 ? NEWCOMER_TURN_MS : TURN_MS
    newcomers = 0
    known = 0
    return performance.now() + length
  }

  async function goOn(): Promise<void> {
    if (newcomers > known && newcomers < MAX_NEWCOMERS) {
      known = newcomers
      return void setImmediate(goOn)
    }
    until = endOfTurn()
    for (const [network, own] of waiting) {
      const [serve] = own
      if (!serve || performance.now() >= until) break
      own.delete(serve)
      waiting.delete(network)
      if (own.size > 0) waiting.set(network, own)
      serve()
      // What follows from it counts as well: of 600 bodies that take 1.3 ms each, all would follow at the end of the turn.
      await new Promise(nextTick)
    }
    if (waiting.size > 0) setImmediate(goOn)
    else until = null
  }

  return (network, serve) => {
    if (until === null) {
      until = endOfTurn()
      setImmediate(goOn)
    }
    if (waiting.size === 0 && performance.now() < until) return serve()
    const own = waiting.get(network)
    if (own) own.add(serve)
    else waiting.set(network, new Set([serve]))
  }
}
