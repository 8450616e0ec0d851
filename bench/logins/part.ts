import { makeAccount } from '../../tests/faults/winner.ts'
import { ServerNode } from '../../tests/support/node.ts'
import { alternate, type Subject } from '../alternate.ts'
import { Helper } from '../helper.ts'
import type { Load } from '../load/load.ts'
import { requireAll } from '../rounds/audit.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Part } from '../section.ts'
import type { Flood, Statuses } from './flood.ts'

const SECONDS = 4
const REPEATS = 6
/** Rounds a second: far below the peak, so that what a call waits for is the flood and not the other players. */
const ROUNDS = 200
/** Logins a second: ten times what one core can hash. */
const LOGINS = 200
const USERNAME = 'Guessed At'

/** A server whose players go on playing, and somebody who guesses passwords as well or does not. */
interface Scene {
  readonly load: Load
  readonly flooder: Helper<Flood, Statuses>
  readonly url: string
  /** Throws when an attempt is lost. */
  check(run: Parameters<typeof requireAll>[1]): Promise<void>
}

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    const flooder = new Helper<Flood, Statuses>(new URL('flood.ts', import.meta.url))
    try {
      const { connection, settings } = await stage.makeDatabase('logins')
      const { url } = await ServerNode.start(settings)
      await makeAccount(url, USERNAME)
      const load = await stage.gather({ seats: 'taps', url, players: 256, connections: 128 })
      const scene: Scene = { load, flooder, url, check: acknowledged => requireAll(connection, acknowledged) }
      const [quiet, flooded] = await alternate([alone(scene), underFlood(scene)], REPEATS)
      const beside = { name: 'without the flood', values: quiet?.p99 ?? [] }
      return {
        title: 'Playing while somebody guesses passwords',
        figures: [
          {
            name: 'p99 of a Start or Stop, ms',
            ours: flooded?.p99 ?? [],
            wanted: '≤ 2 × the limit',
            limit: beside,
          },
          {
            name: 'p50 of a Start or Stop, ms',
            ours: flooded?.p50 ?? [],
            limit: { name: 'without the flood', values: quiet?.p50 ?? [] },
          },
          { name: 'logins a second that were compared', ours: flooded?.compared ?? [] },
          { name: 'logins a second that were told to come back (503)', ours: flooded?.refused ?? [] },
        ],
        notes: [
          `${ROUNDS} rounds a second on a fixed schedule, ${SECONDS} s a run; in every second run ${LOGINS} wrong passwords a
second for one account, over 160 connections, with every rate limit off: what protects the players here is the queue alone,
one hash at a time off the main thread. With the limits on, one address may try ten passwords for a name and then one
every ten seconds, and at most 40 wait. The server, its PostgreSQL, the players and the flood share the machine.`,
        ],
      }
    } finally {
      await flooder.close()
      await stage.close()
    }
  },
}

function alone({ load, check }: Scene): Subject<'p50' | 'p99' | 'compared' | 'refused'> {
  return {
    name: 'alone',
    async measure() {
      const { calls, acknowledged } = await load.steady(ROUNDS, SECONDS)
      await check(acknowledged)
      return { p50: calls.p50, p99: calls.p99, compared: 0, refused: 0 }
    },
  }
}

function underFlood({ load, flooder, url, check }: Scene): Subject<'p50' | 'p99' | 'compared' | 'refused'> {
  return {
    name: 'under a flood of logins',
    async measure() {
      const [{ calls, acknowledged }, statuses] = await Promise.all([
        load.steady(ROUNDS, SECONDS),
        flooder.do({ url, username: USERNAME, rate: LOGINS, seconds: SECONDS }),
      ])
      await check(acknowledged)
      const { '401': compared = 0, '503': refused = 0, ...others } = statuses
      if (Object.keys(others).length > 0) throw new Error(`Logins were answered ${JSON.stringify(others)}`)
      return { p50: calls.p50, p99: calls.p99, compared: compared / SECONDS, refused: refused / SECONDS }
    },
  }
}
